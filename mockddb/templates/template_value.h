/* template_value.h: evaluates values of a template of CloudFormation when they are needed.
 *
 * Only what the tables use is evaluated, so that the rest of a template may have functions that are
 * not known here. A value that only a deployment would show is a PROBLEM_MISSING; everything else
 * that is wrong is a PROBLEM_INVALID. Source: CloudFormation's template reference, intrinsic
 * functions and pseudo parameters. */
#pragma once

#include "base/option.h"
#include "templates/template_node.h"

struct template_options {
    struct option_pairs params;  /* of --param; is_used: a template has this parameter */
    struct span region, account; /* of ARNs and pseudo parameters; empty: not known */
};

/* A condition or table that is being evaluated, for circles. */
struct template_using {
    struct span name;
    const struct template_using *outer;
};

struct template_scope {
    struct arena *arena;
    const struct template_options *options;
    const struct template_node *root; /* NULL: values are final and have no functions */
    const struct template_using *using;
    size_t depth, steps, made; /* how deep it is, and what was done so far */
    /* The name of the table that is this resource, or *is_table false. */
    const struct problem *(*name_table)(struct template_scope *s, struct span resource,
                                        bool *is_table, struct span *name);
};

/* A value that is not a function, though its parts may be; NULL for AWS::NoValue, and for null
 * where values are final. */
MUST_CHECK const struct problem *template_value(struct template_scope *s,
                                                const struct template_node *n,
                                                const struct template_node **out);
/* A value that must be a string or a number. */
MUST_CHECK const struct problem *
template_value_text(struct template_scope *s, const struct template_node *n, struct span *out);
/* A condition of the section Conditions; `at` is where it is used. */
MUST_CHECK const struct problem *template_value_condition(struct template_scope *s,
                                                          struct span name,
                                                          const struct template_node *at,
                                                          bool *out);
/* The member of a section, such as a resource, or NULL. */
const struct template_node *template_value_in(const struct template_scope *s, const char *section,
                                              struct span name);

/* Marks the name as being evaluated, until template_value_leave. Returns a problem if it is
 * already.
 */
MUST_CHECK const struct problem *template_value_enter(struct template_scope *s, struct span name,
                                                      const struct template_node *at);
void template_value_leave(struct template_scope *s);

/* arn:aws:SERVICE:REGION:ACCOUNT:RESOURCE. */
MUST_CHECK const struct problem *
template_value_arn(struct template_scope *s, const struct template_node *at, const char *service,
                   const char *resource, struct span name, const struct template_node **out);
