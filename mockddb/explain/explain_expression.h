/* explain_expression.h: the words for faults of expressions and their placeholders, and the place
 * of a fault shown and corrected. */
#pragma once

#include "explain/inquiry.h"
#include "expr/expr_lex.h"

/* The members that define placeholders. */
#define EXPLAIN_NAMES  "ExpressionAttributeNames"
#define EXPLAIN_VALUES "ExpressionAttributeValues"

/* Two lines below the reason: the parameter as it was typed, and marks under a part of it. */
void explain_expression_mark(struct inquiry *q, const char *parameter, struct span text,
                             struct span place);

/* JSON: one of the request's maps of placeholders with more members. */
struct span explain_expression_map_with(struct inquiry *q, const char *map, struct span more);

/* What an entry of the request was refused for. */
struct refusal {
    const struct error_why *why;
    struct span place;     /* the error's, if it is in one of the entry's expressions */
    const char *parameter; /* that expression: "FilterExpression"; NULL: the place is unknown */
    enum expr_grammar grammar;
    struct span text; /* of the expression */
};

/* The words for a cause: finds the reason. */
typedef void explain_words(struct inquiry *q, const struct refusal *r);

/* Marks its place, if it is known. */
void explain_expression_mark_refusal(struct inquiry *q, const struct refusal *r);

/* Finds the place of the error in the entry's expressions. */
struct refusal explain_expression_refusal(struct inquiry *q, const struct error_why *why);

explain_words explain_expression_reserved_word, explain_expression_undefined,
    explain_expression_operand_count, explain_expression_operand_type,
    explain_expression_bound_order, explain_expression_type_name, explain_expression_section_twice,
    explain_expression_unused, explain_expression_placeholder, explain_expression_left_out,
    explain_expression_swapped, explain_expression_lacks, explain_expression_parent;

/* Marks the place of an UpdateExpression that names the attribute, which is the operand. */
explain_words explain_expression_mark_name;
