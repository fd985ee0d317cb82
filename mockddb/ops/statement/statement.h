/* statement.h: a PartiQL statement of a request against its table: what ExecuteStatement,
 * BatchExecuteStatement and ExecuteTransaction share.
 *
 * Order of checks: the parameters of all statements, the statement itself, the table, its index
 * and what that projects, the key. Source: docs/behaviour/partiql.md. */
#ifndef OPS_STATEMENT_H
#define OPS_STATEMENT_H

#include "ops/capacity.h"
#include "ops/op.h"
#include "partiql/partiql.h"

/* Members that the operations declare alike. */
extern const struct wire_shape statement_text_shape;       /* 1..8192 */
extern const struct wire_shape statement_parameters_shape; /* list 1.. of AttributeValue */

/* One statement with what belongs to it. */
struct statement {
    struct span text;
    const struct attr *parameters;
    size_t parameter_count;
    bool show_on_failure; /* ReturnValuesOnConditionCheckFailure ALL_OLD */
    bool consistent;

    struct partiql_statement parsed; /* statement_parse_text … */
    const struct table *table;       /* statement_find_table … */
    const struct index *index;       /* NULL: the table itself */
    bool has_key;                    /* statement_find_key: the statement names one item … */
    struct item key;                 /* … by its whole key */
    struct expr_cond *rest;          /* what is asked for besides the key; NULL: nothing */
};

/* Text, Parameters and options of a request or of one of its statements. Faults of parameters
 * concern the whole request. */
MUST_CHECK const struct error *statement_read_entry(struct call *c, const wire_node *entry,
                                                    struct statement *out);

/* What can be said without the table, and that the index which the statement names has no
 * multi-attribute key: the service looks at that after grammar and literals, before the rest. */
MUST_CHECK const struct error *statement_parse_text(struct call *c, struct statement *s);

/* Table and index, and whether they can give what the statement wants of them. */
MUST_CHECK const struct error *statement_find_table(struct call *c, struct statement *s);

/* EXISTS, which stands for a condition check, in an operation that has none. */
MUST_CHECK const struct error *statement_refuse_exists(struct call *c, const struct statement *s);

/* The key schema of the table or of the index that the statement names. */
const struct key_schema *statement_keys(const struct statement *s);

/* ORDER BY names nothing but attributes of the key. */
MUST_CHECK const struct error *statement_check_order(struct call *c, const struct statement *s);

/* Looks for equality with the whole primary key of the table; INSERT has it in its item. An UPDATE
 * or DELETE without one is an error. */
MUST_CHECK const struct error *statement_find_key(struct call *c, struct statement *s);

bool statement_is_write(const struct statement *s);

/* Whether a SELECT whose key was looked for asks for the primary key and nothing else, which
 * batches and transactions want: they read by key and have no filter. */
bool statement_is_key_read(const struct statement *s);

/* Reads the one item whose key was found, if there is one; `used` gets what it cost. */
MUST_CHECK const struct error *statement_get(struct call *c, const struct statement *s,
                                             struct capacity *used, struct item *it, bool *found);
/* Writes the item as the statement's columns show it. */
void statement_put_columns(struct call *c, const struct statement *s, const struct item *it);

#endif
