/* catalog.h: the catalog in memory: tables by their ids (schema_id), and how to undo changes to
 * them.
 *
 * Owns its tables. A table that was replaced, removed or undone lives until catalog_release,
 * because a call's accounts may still use it. */
#pragma once

#include "model/schema.h"

struct catalog_change {
    struct table *before; /* NULL: the table is new */
    struct table *after;  /* NULL: the table was removed */
};

struct catalog {
    struct table **tables; /* by region and name in byte order; the default region comes first */
    size_t count, capacity;
    struct catalog_change *changes; /* since the last catalog_keep */
    size_t change_count, change_capacity;
    struct table **outdated; /* not in the catalog any more */
    size_t outdated_count, outdated_capacity;
    uint64_t version; /* of the table that was added last */
};

void catalog_free(struct catalog *c);

struct table *catalog_find(const struct catalog *c, struct span id);
/* Returns the first table after that id, or NULL. */
struct table *catalog_after(const struct catalog *c, struct span id);

/* Adds `t` with a version, or replaces the table with its region and name; removes a table. If
 * memory is out, the work in `a` ends (arena_out_of_memory); NULL: the process. */
void catalog_put(struct arena *a, struct catalog *c, struct table *t, uint64_t version);
void catalog_remove(struct arena *a, struct catalog *c, struct span id);

/* Undoes changes, the newest first, until only the first `mark` are left. */
void catalog_undo(struct catalog *c, size_t mark);
/* Takes over a table that is not in the catalog, until catalog_release. */
void catalog_lend(struct catalog *c, struct table *t);
/* Makes all changes final. */
void catalog_keep(struct catalog *c);
/* Frees the outdated tables. */
void catalog_release(struct catalog *c);
