/* jmespath_function.h: the functions of the language. */
#pragma once

#include "jmespath/jmespath_value.h"

/* An evaluation. The first problem ends it: functions return NULL from then on. */
struct jmespath_run {
    struct arena *arena;
    size_t elements; /* that projections have made */
    const char *problem;
    /* The value of the expression for `in`; NULL if there is a problem. */
    const struct jmespath_value *(*evaluate)(struct jmespath_run *r,
                                             const struct jmespath *expression,
                                             const struct jmespath_value *in);
};

/* Finds a function by its name; NULL if it does not exist. */
const struct jmespath_function *jmespath_function_find(struct span name);

/* Checks the number of arguments. Returns NULL, or the problem. */
const char *jmespath_function_check(struct arena *a, const struct jmespath_function *f,
                                    size_t count);

/* Checks the arguments' types and calls the function; NULL if there is a problem. */
const struct jmespath_value *jmespath_function_call(struct jmespath_run *r,
                                                    const struct jmespath_function *f,
                                                    const struct jmespath_value *const *arguments,
                                                    size_t count);
