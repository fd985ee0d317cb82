/* store.h: where tables, items and everything else that must last is kept. No SQL in sight.
 *
 * The store knows two things: the catalog (struct table by name), and entries: ordered byte
 * keys (model/key.h), each with a size and a body. The first four bytes of a key are its space:
 * one ordered set, such as the primary keys of a table, an index or a stream. An entry of a
 * table's own space owns its body; entries of index spaces share it by id, so that reading an
 * index reads the item. One thread, one request at a time.
 *
 * Work is done in units: store_begin … store_end. A unit that is kept is visible at once and
 * lasting after store_flush; one that is not kept leaves no trace, in the catalog either. No
 * reply to a write may leave before the flush that follows it. Errors are ERROR_INTERNAL; their
 * cause is logged here. */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "model/error.h"
#include "model/schema.h"

struct store;

enum store_sync { STORE_SYNC_OFF, STORE_SYNC_NORMAL, STORE_SYNC_FULL };

struct store_options {
    const char *path; /* NULL: in memory */
    enum store_sync sync;
    bool compact; /* rewrite the file without the gaps that deletions left */
};

/* Opens or creates; on failure returns NULL and sets *problem to one clear sentence in the
 * arena (not ours, damaged, newer, not writable, in use …). */
struct store *store_open(struct arena *a, const struct store_options *options,
                         const char **problem);
void store_free(struct store *s); /* flushes; s may be NULL */

/* --- units of work ------------------------------------------------------------------------- */

MUST_CHECK const struct error *store_begin(struct store *s, struct arena *a);
/* Ends the unit: kept, or undone. After an error of keeping it is undone. */
MUST_CHECK const struct error *store_end(struct store *s, struct arena *a, bool keep);
/* Ends whatever is under way, a read or a unit, which is undone: for work that broke off in its
 * middle. */
void store_abandon(struct store *s);
/* Makes all kept units last. After an error none of them since the last flush did. */
MUST_CHECK const struct error *store_flush(struct store *s, struct arena *a);
/* Whether there are kept units that wait for a flush (in file mode; never in memory). */
bool store_needs_flush(const struct store *s);

/* --- catalog --------------------------------------------------------------------------------- */

/* The table or NULL. Valid at least until the end of the unit that replaces or drops it. */
const struct table *store_table(const struct store *s, struct span name);

/* The first table whose name is after `name` in byte order, or NULL. */
const struct table *store_table_after(const struct store *s, struct span name);
size_t store_table_count(const struct store *s);

/* A space number that was never used before. */
MUST_CHECK const struct error *store_new_space(struct store *s, struct arena *a, uint32_t *space);

/* A number greater than all that were given before, over restarts; one of a unit that is undone
 * is not given again. */
uint64_t store_next_number(struct store *s);
/* The last number given. */
uint64_t store_last_number(const struct store *s);

/* Puts a new table, or the next version of one (same name). From success on the store owns
 * `t`, whoever owned it before (schema_new). */
MUST_CHECK const struct error *store_table_put(struct store *s, struct arena *a, struct table *t);

/* Takes the table out of the catalog. Its spaces are dropped by store_drop_space. */
MUST_CHECK const struct error *store_table_remove(struct store *s, struct arena *a,
                                                  struct span name);

/* --- entries --------------------------------------------------------------------------------- */

struct store_row {
    struct span key;
    int64_t id;       /* of the body; what index entries refer to */
    size_t size;      /* as put: the service's size of the item, or of its projection */
    struct span body; /* the item's wire JSON */
};

/* Reads one entry; the body is copied into the arena, the key is the one given. *found says
 * whether it exists. */
MUST_CHECK const struct error *store_get(struct store *s, struct arena *a, struct span key,
                                         struct store_row *row, bool *found);

/* Puts an entry that owns its body: a new one (id 0; *id_out is its id), or a new body and size
 * for the existing entry with that id (same key). id_out may be NULL. */
MUST_CHECK const struct error *store_put(struct store *s, struct arena *a, struct span key,
                                         int64_t id, size_t size, size_t old_size, struct span body,
                                         int64_t *id_out);
/* Deletes an entry and the body it owns. */
MUST_CHECK const struct error *store_delete(struct store *s, struct arena *a, struct span key,
                                            int64_t id, size_t size);

/* Index entries: refer to a body by id. Putting an existing key changes id and size; old_size is
 * its size before, or -1 for a new entry. */
MUST_CHECK const struct error *store_entry_put(struct store *s, struct arena *a, struct span key,
                                               int64_t id, size_t size, int64_t old_size);
MUST_CHECK const struct error *store_entry_delete(struct store *s, struct arena *a, struct span key,
                                                  size_t size);

/* Gives up a space: it counts nothing from here on and must not be used again. Its entries and the
 * bodies they own go in slices, by store_reap, also after a restart. */
MUST_CHECK const struct error *store_drop_space(struct store *s, struct arena *a, uint32_t space);

/* Whether there may be work for store_reap. */
bool store_has_doomed(const struct store *s);
/* One slice of what was given up, in a unit; *more says whether to come again. */
MUST_CHECK const struct error *store_reap(struct store *s, struct arena *a, bool *more);

/* Deletes entries low ≤ key < high that own their bodies (trimming a stream). */
MUST_CHECK const struct error *store_delete_range(struct store *s, struct arena *a, struct span low,
                                                  struct span high);

struct space_stats {
    int64_t entries;
    int64_t bytes; /* sum of the entries' sizes */
};
struct space_stats store_stats(const struct store *s, uint32_t space);

/* --- ranges ---------------------------------------------------------------------------------- */

struct store_range {
    struct span low;  /* first key that belongs to the range */
    struct span high; /* first key after it */
    bool backwards;   /* from high to low */
    bool keys_only;   /* rows come without body */
};

struct store_cursor;

/* At most one cursor is open at a time, and nothing is written while it is. */
MUST_CHECK const struct error *store_cursor_open(struct store *s, struct arena *a,
                                                 const struct store_range *range,
                                                 struct store_cursor **out);
/* The next row, borrowed until the next call on the cursor; *found is false at the end. */
MUST_CHECK const struct error *store_cursor_next(struct store_cursor *c, struct store_row *row,
                                                 bool *found);
void store_cursor_close(struct store_cursor *c); /* c may be NULL */

#endif
