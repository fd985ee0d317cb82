/* moving_tables.h: finds the tables for items, or creates them from a schema or a key. */
#pragma once

#include "client/client.h"
#include "fixtures/fixtures_table.h"
#include "model/attr.h"
#include "wire/wire_reply.h"

/* A table's name and key. */
struct moving_table {
    struct span name;
    struct span keys[2]; /* names of its key attributes, the partition key first */
    enum attr_type types[2];
    size_t key_count;
};

struct moving_tables;

/* Everything lives in the arena; the client is borrowed. */
struct moving_tables *moving_tables_new(struct arena *a, struct client *client);

/* Sets the key for creating tables without a schema: "pk:S" or "pk:S,sk:N". Returns NULL, or what
 * is wrong. */
MUST_CHECK const char *moving_tables_set_key(struct moving_tables *t, const char *key);

/* Like moving_tables_find, but only returns what it would find or create. Returns NULL, or why
 * there can be no such table. */
MUST_CHECK const char *moving_tables_plan(struct moving_tables *t, struct span name,
                                          const struct moving_table **out);
/* Finds the table and waits until it can be used; creates it with the key if it does not exist.
 * Returns NULL, or the error. */
MUST_CHECK const char *moving_tables_find(struct moving_tables *t, struct span name,
                                          const struct moving_table **out);

/* Creates the table that a text describes (fixtures_table.h), unless it exists. */
MUST_CHECK const char *moving_tables_make(struct moving_tables *t, struct span text,
                                          struct span name);

/* Called with the name of each table before it is created, also if it exists already. Returns
 * NULL, or why it may not be. */
typedef const char *moving_tables_claim(void *context, struct span name);
void moving_tables_ask(struct moving_tables *t, moving_tables_claim *claim, void *context);

/* Creates the table by these requests, unless it exists. */
MUST_CHECK const char *moving_tables_create(struct moving_tables *t,
                                            const struct fixture_table *table);

/* The table's time-to-live attribute; empty without one, or if it is not known. */
struct span moving_tables_ttl(struct moving_tables *t, struct span name);

/* From now on no table is created: those that would be count as created, also without a key. */
void moving_tables_look(struct moving_tables *t);

/* The table that was neither found nor created because its key is not known; empty: none. */
struct span moving_tables_missing(const struct moving_tables *t);

/* Number of created tables, and whether a table is one of them. */
size_t moving_tables_made(const struct moving_tables *t);
bool moving_tables_has_made(const struct moving_tables *t, struct span name);
/* Writes the tables that were found or created as {"name", "created", "key"}, the newest
 * first; the key is empty if it is not known. */
void moving_tables_show(const struct moving_tables *t, struct wire_writer *w);
/* Deletes all tables that were created, if they are in this process. */
void moving_tables_drop_made(struct moving_tables *t);
