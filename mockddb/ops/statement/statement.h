/* statement.h: PartiQL statements, for ExecuteStatement, BatchExecuteStatement and
 * ExecuteTransaction.
 *
 * Order of checks: the parameters of all statements, the statement itself, the table, its index and
 * the index's projection, the key. Source: docs/behaviour/partiql.md. */
#pragma once

#include "ops/capacity.h"
#include "partiql/partiql.h"

/* The shapes of members that the operations share. */
extern const struct wire_shape statement_text_shape;       /* 1..8192 */
extern const struct wire_shape statement_parameters_shape; /* list 1.. of AttributeValue */

/* A statement with its table and key. */
struct statement {
    struct span text;
    const struct attr *parameters;
    size_t parameter_count;
    bool show_on_failure; /* ReturnValuesOnConditionCheckFailure ALL_OLD */
    bool consistent;

    struct partiql_statement parsed; /* by statement_parse_text */
    const struct table *table;       /* by statement_find_table */
    const struct index *index;       /* likewise; NULL: the table itself */
    bool has_key;                    /* by statement_find_key: it names one item by its whole key */
    struct item key;                 /* likewise */
    struct expr_cond *rest;          /* the condition besides the key; NULL: none */
};

/* Reads text, parameters and options of a request or of one of its statements. Errors of parameters
 * fail the whole request. */
MUST_CHECK const struct error *statement_read_entry(struct call *c, const wire_node *entry,
                                                    struct statement *out);

/* Parses and checks the text. Between literals and the other checks, like the service, it refuses
 * an index with a multi-attribute key. */
MUST_CHECK const struct error *statement_parse_text(struct call *c, struct statement *s);

/* Finds table and index and checks that they support the statement. */
MUST_CHECK const struct error *statement_find_table(struct call *c, struct statement *s);

/* Refuses EXISTS (a condition check), for operations that do not have it. */
MUST_CHECK const struct error *statement_refuse_exists(struct call *c, const struct statement *s);

/* The key schema of the statement's table or index. */
const struct key_schema *statement_keys(const struct statement *s);

/* Checks that ORDER BY names attributes of the key only. */
MUST_CHECK const struct error *statement_check_order(struct call *c, const struct statement *s);

/* Searches the condition for the table's whole primary key; INSERT has it in its item. UPDATE and
 * DELETE without a key fail. */
MUST_CHECK const struct error *statement_find_key(struct call *c, struct statement *s);

/* Finds the table and the key of a statement of a BatchExecuteStatement. */
MUST_CHECK const struct error *statement_resolve_member(struct call *c, struct statement *s);

bool statement_is_write(const struct statement *s);

/* Whether a SELECT has the primary key as its only condition. Batches and transactions require
 * this. Call it after statement_find_key. */
bool statement_is_key_read(const struct statement *s);

/* Reads the item of the key and charges `used`. */
MUST_CHECK const struct error *statement_get(struct call *c, const struct statement *s,
                                             struct capacity *used, struct item *it, bool *found);
/* Writes the statement's columns of the item. */
void statement_put_columns(struct call *c, const struct statement *s, const struct item *it);
