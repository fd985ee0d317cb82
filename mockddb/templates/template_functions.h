/* template_functions.h: the functions of CloudFormation's templates, and of its conditions. */
#pragma once

#include "templates/template_value.h"

typedef const struct problem *template_function(struct template_scope *s,
                                                const struct template_node *argument,
                                                const struct template_node **out);
typedef const struct problem *template_test(struct template_scope *s,
                                            const struct template_node *argument, bool *out);

/* The function or test that an object with one member calls; NULL: it is an ordinary object. */
template_function *template_functions_find(struct span name);
template_test *template_functions_test(struct span name);

/* Whether the name belongs to a function, known or not. */
bool template_functions_is_name(struct span name);
