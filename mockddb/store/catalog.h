/* catalog.h: the catalog in memory: tables by their ids (schema_id), and how to undo changes to
 * them.
 *
 * Owns its tables. One that was replaced or removed for good, and one whose change was undone,
 * lives until catalog_release: a call's accounts have it in hand. */
#ifndef STORE_CATALOG_H
#define STORE_CATALOG_H

#include "model/schema.h"

struct catalog_change {
    struct table *before; /* NULL: the table is new */
    struct table *after;  /* NULL: the table is gone */
};

struct catalog {
    struct table **tables; /* by region and name in byte order, the default region's first */
    size_t count, capacity;
    struct catalog_change *changes; /* since the last catalog_keep */
    size_t change_count, change_capacity;
    struct table **outdated; /* nobody finds them any more */
    size_t outdated_count, outdated_capacity;
};

void catalog_free(struct catalog *c);

struct table *catalog_find(const struct catalog *c, struct span id);
/* The first table behind that id, or NULL. */
struct table *catalog_after(const struct catalog *c, struct span id);

/* Puts `t` in place of the table of its region and name, or as a new one; takes a table out. Where
 * there is no memory for that, what is done in `a` ends (arena_out_of_memory); NULL: the process.
 */
void catalog_put(struct arena *a, struct catalog *c, struct table *t);
void catalog_remove(struct arena *a, struct catalog *c, struct span id);

/* Undoes changes from the newest back, until only the first `mark` are left. */
void catalog_undo(struct catalog *c, size_t mark);
/* Makes all changes final. */
void catalog_keep(struct catalog *c);
/* Frees the tables that nobody finds any more. */
void catalog_release(struct catalog *c);

#endif
