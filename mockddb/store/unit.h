/* unit.h: a unit of work on a store: all of its changes are kept, or none.
 *
 * Entries are read and written in a unit, which is passed down. A unit that only reads costs next
 * to nothing. Units nest: while one is open another may begin, and ends first; but only one of the
 * open units may write. The end of a unit closes its cursors (store/cursor.h) and undoes the open
 * units inside it. So work can be left at any point, also by a jump, and the end of the outermost
 * unit cleans up.
 *
 * Where other processes use the same database, reading in a unit or keeping it may find that one of
 * them has changed what the unit has read. Then the work is left by a jump (arena_run_again) to
 * where it began, which undoes its units and runs it again: no code in between can miss that. */
#pragma once

#include "store/store.h"

struct unit;

enum unit_kind { UNIT_READS, UNIT_WRITES };

/* Errors and results are in the arena, which must live as long as the unit. */
MUST_CHECK const struct error *unit_begin(struct store *s, struct arena *a, enum unit_kind kind,
                                          struct unit **out);
/* Ends the unit: keeps or undoes it. If keeping fails, it is undone; undoing cannot fail. */
MUST_CHECK const struct error *unit_keep(struct unit *u);
void unit_undo(struct unit *u);

bool unit_writes(const struct unit *u);

/* --- rows ------------------------------------------------------------------------------------- */

/* A stored entry, or the place for a missing one. */
struct store_row {
    struct span key;
    bool found;       /* whether the entry exists */
    size_t size;      /* as put: the service's size of the item, or of its projection */
    struct span body; /* the item's wire JSON */
    int64_t handle;   /* for the store */
};

/* Reads an entry. The body is copied into the arena; the key is the caller's. */
MUST_CHECK const struct error *unit_get(struct unit *u, struct span key, struct store_row *row);

/* Reads entries that unit_get will be asked for, all at once and as of one moment, where each read
 * is a trip to a database; elsewhere it does nothing. */
MUST_CHECK const struct error *unit_want(struct unit *u, const struct span *keys, size_t count);

/* Puts an entry that owns its body at the row's place: replaces the one found there, or adds one.
 * `row` is the result of a read, or only a key if nothing is known about it; afterwards it is the
 * new row. */
MUST_CHECK const struct error *unit_put(struct unit *u, struct store_row *row, size_t size,
                                        struct span body);
/* Whether unit_put moved the body, as it does if a copy of the space also owns it
 * (store/space_copy.h): entries that refer to it must be linked again. */
static inline bool unit_body_moved(const struct store_row *before, const struct store_row *after)
{
    return before->found && before->handle != after->handle;
}
/* Deletes a row that was found, and the body it owns. */
MUST_CHECK const struct error *unit_delete(struct unit *u, struct store_row *row);

/* Index entries refer to the body of another row. Of `entry`, only the key and, if it exists
 * (found), the size are used. */
MUST_CHECK const struct error *unit_link(struct unit *u, struct store_row *entry,
                                         const struct store_row *owner, size_t size);
MUST_CHECK const struct error *unit_unlink(struct unit *u, struct store_row *entry);

/* What a space has, with the unit's changes. */
MUST_CHECK const struct error *unit_stats(struct unit *u, uint32_t space, struct space_stats *out);
/* Whether it has no entry. */
MUST_CHECK const struct error *unit_is_empty(struct unit *u, uint32_t space, bool *empty);

/* Adds to a total that is kept with a space's entries, and deleted with the space. */
void unit_spare(struct unit *u, uint32_t space, int64_t bytes);

/* --- records in order ------------------------------------------------------------------------- */

/* A record of a shard, which gets its number from the store, perhaps only when its unit is kept: it
 * is greater than those of the shard's records that were kept before. */
struct store_record {
    struct span shard; /* the beginning of the key, which ends with the number (STORE_NUMBER_LEN) */
    char *body;
    size_t len;
    size_t digits_at; /* where the body has STORE_NUMBER_DIGITS characters for the number */
};
#define STORE_NUMBER_LEN    8
#define STORE_NUMBER_DIGITS 20

/* Adds a record. Its parts are borrowed; the number may be put into the body at once. */
MUST_CHECK const struct error *unit_append(struct unit *u, const struct store_record *r);
/* A number that is not below the shard's last one, and below the next one. */
MUST_CHECK const struct error *unit_last_number(struct unit *u, struct span shard, uint64_t *out);

/* Deletes entries low ≤ key < high that own their bodies (trimming a stream). */
MUST_CHECK const struct error *unit_delete_range(struct unit *u, struct span low, struct span high);

/* --- spaces ----------------------------------------------------------------------------------- */

/* Returns a space number that was never used before. `parts`: the number of partition attributes in
 * the keys of its entries (model/key.h); 0: its keys have another form. */
MUST_CHECK const struct error *unit_new_space(struct unit *u, unsigned parts, uint32_t *space);

/* Whether all processes that write know of the space, so that none still writes items as if it were
 * not there. Of one that this unit has made: whether there is no other process. */
MUST_CHECK const struct error *unit_knows_space(struct unit *u, uint32_t space, bool *known);

/* Gives up a space: it counts nothing from now on and must not be used again. unit_reap deletes its
 * entries and their bodies in slices, also after a restart. */
MUST_CHECK const struct error *unit_drop_space(struct unit *u, uint32_t space);

/* Deletes a slice of given-up entries; *more says whether to call again. */
MUST_CHECK const struct error *unit_reap(struct unit *u, bool *more);

/* --- catalog ---------------------------------------------------------------------------------- */

/* Adds a table, or replaces the one with the same region and name, of which `t` is a changed copy:
 * it is a conflict if that one has been replaced since (table.version). On success the store owns
 * `t`, which may have had another owner (schema_new). */
MUST_CHECK const struct error *unit_put_table(struct unit *u, struct table *t);

/* Removes the table from the catalog. unit_drop_space drops its spaces. */
MUST_CHECK const struct error *unit_remove_table(struct unit *u, struct span id);

/* The unit writes items or entries as this table says: keeping it is a conflict if another process
 * has replaced the table meanwhile. */
void unit_guard_table(struct unit *u, const struct table *t);
