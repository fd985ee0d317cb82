/* unit.h: a unit of work on a store: all that it changes is kept, or nothing.
 *
 * Whoever reads or writes entries does it in a unit, which is handed down. One that only reads
 * costs next to nothing. Units nest: while one is open another may begin, and ends first; but only
 * one of those that are open may write. The end of a unit closes its cursors (store/cursor.h) and
 * undoes the units within it that are still open, so a piece of work can be left at any point,
 * also by a jump, and the end of the outermost unit puts everything in order. */
#ifndef STORE_UNIT_H
#define STORE_UNIT_H

#include "store/store.h"

struct unit;

enum unit_kind { UNIT_READS, UNIT_WRITES };

/* Errors, and what is read, are in the arena, which has to last as long as the unit. */
MUST_CHECK const struct error *unit_begin(struct store *s, struct arena *a, enum unit_kind kind,
                                          struct unit **out);
/* Ends the unit: kept, or undone. After an error of keeping it is undone; undoing has none. */
MUST_CHECK const struct error *unit_keep(struct unit *u);
void unit_undo(struct unit *u);

bool unit_writes(const struct unit *u);

/* --- rows ------------------------------------------------------------------------------------- */

/* An entry as it is stored, or its place where there is none. */
struct store_row {
    struct span key;
    bool found;       /* whether there is such an entry */
    size_t size;      /* as put: the service's size of the item, or of its projection */
    struct span body; /* the item's wire JSON */
    int64_t handle;   /* the store's own */
};

/* Reads one entry; the body is copied into the arena, the key is the one given. */
MUST_CHECK const struct error *unit_get(struct unit *u, struct span key, struct store_row *row);

/* Puts an entry that owns its body where the row says: in place of the one that was found there, or
 * as a new one. `row` is what was read, or a key alone where nothing is known to be there; after it
 * it is the row that was put. */
MUST_CHECK const struct error *unit_put(struct unit *u, struct store_row *row, size_t size,
                                        struct span body);
/* Whether the body went elsewhere with unit_put, as one does that a copy of the space has, too
 * (store/space_copy.h): entries that refer to it are linked anew. */
static inline bool unit_body_moved(const struct store_row *before, const struct store_row *after)
{
    return before->found && before->handle != after->handle;
}
/* Deletes a row that was found, and the body it owns. */
MUST_CHECK const struct error *unit_delete(struct unit *u, struct store_row *row);

/* Index entries refer to the body of another row. Of `entry` only the key counts and, where it is
 * already there (found), its size. */
MUST_CHECK const struct error *unit_link(struct unit *u, struct store_row *entry,
                                         const struct store_row *owner, size_t size);
MUST_CHECK const struct error *unit_unlink(struct unit *u, struct store_row *entry);

/* Adds to what is counted beside a space's entries; it goes with the space. */
void unit_spare(struct unit *u, uint32_t space, int64_t bytes);

/* Deletes entries low ≤ key < high that own their bodies (trimming a stream). */
MUST_CHECK const struct error *unit_delete_range(struct unit *u, struct span low, struct span high);

/* --- spaces ----------------------------------------------------------------------------------- */

/* A space number that was never used before. */
MUST_CHECK const struct error *unit_new_space(struct unit *u, uint32_t *space);

/* Gives up a space: it counts nothing from here on and must not be used again. Its entries and the
 * bodies they own go in slices, by unit_reap, also after a restart. */
MUST_CHECK const struct error *unit_drop_space(struct unit *u, uint32_t space);

/* One slice of what was given up; *more says whether to come again. */
MUST_CHECK const struct error *unit_reap(struct unit *u, bool *more);

/* --- catalog ---------------------------------------------------------------------------------- */

/* Puts a new table, or the next version of one (same region and name). From success on the store
 * owns `t`, whoever owned it before (schema_new). */
MUST_CHECK const struct error *unit_put_table(struct unit *u, struct table *t);

/* Takes the table out of the catalog. Its spaces are dropped by unit_drop_space. */
MUST_CHECK const struct error *unit_remove_table(struct unit *u, struct span id);

#endif
