/* explain_expression.h: what can be said of expressions and placeholders without a table: the place
 * of a fault, and how it is mended. */
#ifndef EXPLAIN_EXPLAIN_EXPRESSION_H
#define EXPLAIN_EXPLAIN_EXPRESSION_H

#include "explain/inquiry.h"

/* Finds the reason in the expressions of the inquiry's entry. */
void explain_expression(struct inquiry *q);

/* Two lines below the reason: the parameter as it was typed, and marks under a part of it. */
void explain_expression_mark(struct inquiry *q, const char *parameter, struct span text,
                             struct span place);

/* JSON: one of the request's maps of placeholders with more members. */
struct span explain_expression_map_with(struct inquiry *q, const char *map, struct span more);

/* Proposes the request with other members: tried where it reads. */
struct trial_member;
void explain_expression_propose(struct inquiry *q, const struct trial_member *members,
                                size_t count);

#endif
