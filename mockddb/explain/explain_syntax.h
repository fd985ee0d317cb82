/* explain_syntax.h: a place at which an expression cannot go on, and what was meant there. */
#ifndef EXPLAIN_EXPLAIN_SYNTAX_H
#define EXPLAIN_EXPLAIN_SYNTAX_H

#include "explain/inquiry.h"
#include "expr/expr_lex.h"

/* The members that define placeholders. */
#define EXPLAIN_NAMES  "ExpressionAttributeNames"
#define EXPLAIN_VALUES "ExpressionAttributeValues"

/* Whether the word begins a section of an update: SET, REMOVE, ADD or DELETE. */
bool explain_syntax_is_section(enum token_kind kind);

struct explain_place {
    const char *parameter; /* "FilterExpression" */
    enum expr_grammar grammar;
    struct span text;  /* the whole expression */
    struct span place; /* in it */
};

/* Finds the reason where the place is a word of another language; else says false. */
bool explain_syntax_foreign(struct inquiry *q, const struct explain_place *at);
/* The same for a word before a bracket that is no function. */
bool explain_syntax_function(struct inquiry *q, const struct explain_place *at);
/* Always finds something to say. */
void explain_syntax(struct inquiry *q, const struct explain_place *at);

#endif
