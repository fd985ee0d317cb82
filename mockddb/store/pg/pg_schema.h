/* pg_schema.h: the schema that a store is in: whether it is ours, and how it is made. */
#pragma once

#include "store/pg/pg_connection.h"

/* Connects for `mockddb store` or a start; `commit` is the value of synchronous_commit. Returns
 * NULL or what is wrong, which says what to do. */
const char *pg_schema_connect(struct arena *a, const struct pg_library *pq,
                              const struct pg_url *url, const char *commit,
                              struct pg_connection *c);

/* The numbers of meta; those that are missing are 0. */
struct pg_schema_meta {
    int64_t format, next_space, control;
};

/* Reads meta. Returns NULL, or a sentence: the schema is not there, not ours or of another format.
 */
const char *pg_schema_read(struct arena *a, struct pg_connection *c, struct pg_schema_meta *out);

/* Runs one statement. Returns NULL with its rows, which the caller frees, or what is wrong. */
const char *pg_schema_ask(struct arena *a, struct pg_connection *c, const struct pg_values *v,
                          struct pg_result **rows);
