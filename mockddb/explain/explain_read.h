/* explain_read.h: what a read did: from where, how much, and what became of it. */
#pragma once

#include "explain/inquiry.h"
#include "ops/read/read_plan.h"

/* One place that a read looked at. */
struct target {
    struct read_plan plan; /* its key: all that the request says of the key */
    bool one_item;         /* the whole key of a table is given */
};

/* The targets of the call, in the request's order; count 0: it is no read, or no sound one. */
struct targets {
    struct target *at;
    size_t count;
};
struct targets explain_read_targets(struct inquiry *q);

/* Fills in the facts of a call that succeeded and is a read; returns its targets. */
struct targets explain_read(struct inquiry *q);

/* The item's values as clauses of a key, up to the first that it lacks. */
struct expr_key explain_read_key(struct inquiry *q, const struct key_schema *keys,
                                 const struct item *it);

/* A part of a condition as a clause of a key; false: it is no comparison of an attribute. */
bool explain_read_clause(const struct expr_cond *part, struct expr_key_clause *out);

/* The target that one key of a table is; false: it is no such key. */
bool explain_read_item(struct inquiry *q, const struct table *t, const struct item *key,
                       struct target *out);

/* Those of the entry's statement; count 0: it is no SELECT, or no sound one. */
struct targets explain_read_statement(struct inquiry *q);
