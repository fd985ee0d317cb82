/* explain_find.h: what finds the reason and the hints of a call, by what the call was, and the
 * report of them. */
#pragma once

#include "explain/explain_rows.h"

struct explanation;

/* --- reads: what they did --- */

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

/* --- reads that gave nothing --- */

/* Finds the reason why a read that succeeded gave nothing. */
void explain_empty(struct inquiry *q);

/* Whether the one item of a target is there; where it is not, what is near. */
bool explain_empty_item(struct inquiry *q, const struct target *target);

/* Like explain_empty, for SearchVectors, which may also have given less than there is. */
void explain_empty_search(struct inquiry *q);

/* --- keys that were not found --- */

/* The reason why no entry of a table or index has this key: which attribute of it is wrong, and
 * what may have been meant. */
void explain_missing(struct inquiry *q, const struct rows *r, const struct expr_key *key);

/* "; there is "X": how it differs", of the attribute that is wrong; or what is stored beside the
 * partition key; "". */
const char *explain_missing_near(struct inquiry *q, const struct rows *r,
                                 const struct expr_key *key);

/* Of a value whose type its key attribute does not take: proposes what was meant, and says how that
 * differs (NULL: the types say it). False: nothing is known. */
bool explain_missing_typed(struct inquiry *q, const struct rows *r, const struct expr_key *key,
                           struct span name, const char **how);

/* The reason why an index has no entries, while its table has items. */
void explain_missing_no_entries(struct inquiry *q, const struct rows *r);

/* --- reads that could cost less --- */

/* Gives the hints for a read that succeeded; its first target is what they are about. */
void explain_advice_give(struct inquiry *q, const struct targets *targets);

/* A note: what the read costs with that many calls a day; `how` says where the number is from, or
 * is empty. */
void explain_advice_cost(struct inquiry *q, double calls_a_day, const char *how);

/* Of a call that failed: the access pattern that answers what it seems to ask. */
void explain_advice_pattern(struct inquiry *q);

/* --- refusals --- */

/* Of a request that failed. */
void explain_error(struct inquiry *q);

/* Of a BatchExecuteStatement: its statements that failed, and those that gave nothing. */
void explain_error_members(struct inquiry *q);

/* A hint for the first member that the request has and the operation does not: the service passes
 * over it without a word. */
void explain_error_ignored(struct inquiry *q);

/* --- writes --- */

/* A write of one item: the request, or an entry of a batch or transaction. */
struct written {
    const wire_node *action; /* {"Item": …} or {"Key": …}; of an entry it is named PutRequest, Put,
                                Delete, … */
    struct span table;       /* a name: tables may change in the call */
    struct item key;
    bool is_put, found; /* found: there was an item before */
    bool left;          /* the answer leaves it to be sent again */
    size_t attributes;  /* of that item */
    size_t number;      /* of the entry in its list, from 1 */
};

/* What is where items are going to be written, as far as it can be read. */
struct write_before {
    bool is_single; /* the request writes one item */
    struct written *entries;
    size_t entry_count;
};

/* Before the call. */
struct write_before explain_write_before(struct inquiry *q, const struct request *request);
/* After a call for several items: the entries that were left or did something else than is often
 * meant. */
void explain_write_entries(struct inquiry *q, const struct write_before *before);
/* Writes the member "entries": of a batch or transaction, what each entry did, or why it did
 * nothing. Nothing is written where that is not known. */
void explain_write_put_entries(struct inquiry *q, struct wire_writer *w);
/* After a call for one item has succeeded. */
void explain_write(struct inquiry *q, const struct write_before *before);

/* --- the report --- */

/* Both in the arena `a`; the reply is the call's. */
void explain_report(struct inquiry *q, struct arena *a, const struct reply *reply,
                    struct explanation *out);
