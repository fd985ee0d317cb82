/* moving_tables.h: the tables that items go into: found, or made from a schema or a key. */
#ifndef MOVING_MOVING_TABLES_H
#define MOVING_MOVING_TABLES_H

#include "model/attr.h"
#include "moving/moving_door.h"

/* What is known of a table. */
struct moving_table {
    struct span name;
    struct span keys[2]; /* the attributes of its key, the partition's first */
    enum attr_type types[2];
    size_t key_count;
};

struct moving_tables;

/* Everything is the arena's; the door is borrowed. */
struct moving_tables *moving_tables_new(struct arena *a, struct moving_door *door);

/* How tables are made that no schema describes: "pk:S" or "pk:S,sk:N". NULL, or what is wrong. */
MUST_CHECK const char *moving_tables_set_key(struct moving_tables *t, const char *key);

/* The table of that name, or what moving_tables_find would make of it: nothing is made. NULL, or
 * why there can be none. */
MUST_CHECK const char *moving_tables_plan(struct moving_tables *t, struct span name,
                                          const struct moving_table **out);
/* The table of that name, once it can be used; made with the key where there is none. NULL, or why
 * it cannot be. */
MUST_CHECK const char *moving_tables_find(struct moving_tables *t, struct span name,
                                          const struct moving_table **out);

/* Makes the table that a text describes (fixtures_table.h), unless there is one of that name. */
MUST_CHECK const char *moving_tables_make(struct moving_tables *t, struct span text,
                                          struct span name);

/* The attribute that a table's items expire by; empty where they do not, or that is not known. */
struct span moving_tables_ttl(struct moving_tables *t, struct span name);

/* The table that these two neither found nor could make, as nothing says what its key is;
 * empty where there was none. */
struct span moving_tables_missing(const struct moving_tables *t);

/* How many were made. */
size_t moving_tables_made(const struct moving_tables *t);

#endif
