/* store.h: where tables, items and everything else that must last is kept.
 *
 * The store knows two things: the catalog (struct table by name), and entries: ordered byte
 * keys (model/key.h), each with a size and a body. The first four bytes of a key are its space:
 * one ordered set, such as the primary keys of a table, an index or a stream. An entry of a
 * table's own space owns its body; entries of index spaces refer to one of those, so that reading
 * an index reads the item. One thread, one request at a time.
 *
 * Work is done in units (store/unit.h). A unit that is kept is visible at once and lasting after
 * store_flush; one that is undone leaves no trace, in the catalog either. No reply to a write may
 * leave before the flush that follows it. Errors are ERROR_INTERNAL; their cause is logged here.
 *
 * What stands behind it is in a folder of its own: sqlite/. */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "model/error.h"
#include "model/schema.h"

struct store;

enum store_sync { STORE_SYNC_OFF, STORE_SYNC_NORMAL, STORE_SYNC_FULL };

struct store_options {
    const char *path; /* NULL: in memory */
    const char *name; /* what sentences about it call it, which clients read; NULL: its path */
    enum store_sync sync;
    bool compact;   /* rewrite the file without the gaps that deletions left */
    bool read_only; /* nothing will be written: a file that cannot be written is opened, too */
};

/* Sets up what all stores of the process share. Without it the first store_open does. */
void store_start(void);

/* Whether a file is one in which DynamoDB Local keeps its tables. It is read and never written. */
bool store_is_of_local(const char *path);

/* What is said of such a file. */
#define STORE_OF_LOCAL                                                                     \
    "it is a file of DynamoDB Local, which stays as it is; to bring its tables over, run " \
    "DynamoDB "                                                                            \
    "Local on it with -port 8001, and: mockddb pull --endpoint http://127.0.0.1:8001 --db FILE"

/* Opens or creates; on failure returns NULL and sets *problem to one clear sentence in the
 * arena (not ours, damaged, newer, not writable, in use …). */
struct store *store_open(struct arena *a, const struct store_options *options,
                         const char **problem);

/* --- copies ----------------------------------------------------------------------------------- */

/* A copy of a store, made in slices: how a world is forked, kept, restored, and written to a file.
 * In memory, or in the file that the options name, in place of one that is there. */
struct store_copying;

/* Begins a copy of `from`, which has no unit open. What waits for a flush is flushed. Until the
 * copy is whole `from` may be read, but not changed, and must stay. */
struct store_copying *store_copying_new(struct store *from, const struct store_options *options);

/* Does a slice, of a millisecond or so; true when there is nothing to do: first when the copy is
 * whole, so that it can be placed, and once more when that is lasting. Or there was a problem.
 * `wait`: waits for the disk where that is what is left to do. */
bool store_copying_step(struct store_copying *c, bool wait);

/* Whether it waits for the disk: a step does nothing until file_sync_bell rings. */
bool store_copying_waits(const struct store_copying *c);

/* Puts a copy that is whole in the place of *s, which was opened with the same options and is
 * freed; or, where *s is NULL, opens it there. s NULL: the file takes its name and stays closed. In
 * a file the state before is there or the one after, whenever the process ends. NULL, or one
 * sentence in the arena: then *s is as it was, or, where not even that could be had again, NULL. */
const char *store_copying_place(struct arena *a, struct store_copying *c, struct store **s);

/* Why the steps ended early, in one sentence that lives as long as *c; or NULL. */
const char *store_copying_problem(const struct store_copying *c);

/* A copy that was not placed leaves nothing behind. c may be NULL. */
void store_copying_free(struct store_copying *c);

/* All of that at once. A new store, in memory or in a file that is not there yet; NULL, and
 * *problem. */
struct store *store_copy(struct arena *a, struct store *from, const struct store_options *options,
                         const char **problem);
/* Into the file that the options name, in place of one that nobody has open. */
const char *store_save(struct arena *a, struct store *from, const struct store_options *options);

/* The store has one more owner, none of whom changes it: the last store_free frees it. */
struct store *store_share(struct store *s);

/* Its file is about to go: store_free does not bring the log into it. */
void store_leave_log(struct store *s);

/* Removes the file of a store that nobody has open, and what belongs to it. */
void store_remove(struct arena *a, const char *path);

/* Gives pages of a database in memory that deletions have left free to the other stores and to
 * store_memory_return_step, in a few milliseconds; false when there are few. No unit may be open,
 * and no copy of the store may be on its way. */
bool store_shrink_step(struct store *s);

/* Bytes of memory that the pages of its database take. */
size_t store_memory(const struct store *s);

void store_free(struct store *s); /* undoes open units, flushes; s may be NULL */

/* Undoes every unit that is open: where a request ends that was cut short. */
void store_abandon(struct store *s);

/* Whether what is kept outlives the process. */
bool store_is_in_file(const struct store *s);

/* Whether it is a file that was opened for reading only, since it cannot be written. */
bool store_is_for_reading(const struct store *s);

/* Whether items may be written. False for a file whose disk is full: what room is left is for
 * units that delete. */
bool store_has_room(struct store *s);

/* What a request is answered whose units were lost: that the disk is full, or an internal error. */
MUST_CHECK const struct error *store_failure(const struct store *s, struct arena *a);

/* Makes all kept units last. After an error none of them since the last flush did. */
MUST_CHECK const struct error *store_flush(struct store *s, struct arena *a);
/* Whether there are kept units that wait for a flush (in file mode; never in memory). */
bool store_needs_flush(const struct store *s);

/* --- as of now, with what the open unit has changed ------------------------------------------- */

/* The table of that id (schema_id: in the default region its name), or NULL. Valid until
 * store_release_tables after the unit that replaces or drops it, or that is undone after it put it.
 */
const struct table *store_table(const struct store *s, struct span id);
/* Frees the tables that were in the catalog and are not any more: between calls, whose accounts and
 * observers have them in hand. */
void store_release_tables(struct store *s);

/* The first table behind that id, or NULL: by name in byte order, the default region's first. */
const struct table *store_table_after(const struct store *s, struct span id);
/* The table behind t in that order, or NULL; t NULL: the first. The arena gets t's id. */
const struct table *store_table_next(struct arena *a, const struct store *s, const struct table *t);
size_t store_table_count(const struct store *s);

struct space_stats {
    int64_t entries;
    int64_t bytes;  /* sum of the entries' sizes */
    int64_t spared; /* what its owner adds up beside it: unit_spare */
};
struct space_stats store_stats(const struct store *s, uint32_t space);

/* The packed vectors beside its entries (store/vectors.h). What a unit changes is noted at once, so
 * whether it is kept or undone, the next search reads it. */
struct vectors;
struct vectors *store_vectors(struct store *s);

/* Whether a space of that number was given out, and is not given up. */
bool store_has_space(struct store *s, uint32_t space);

/* Whether there may be work for unit_reap. */
bool store_has_doomed(const struct store *s);

/* --- numbers ---------------------------------------------------------------------------------- */

/* A number greater than all that were given before, over restarts; one of a unit that is undone
 * is not given again. */
uint64_t store_next_number(struct store *s);
/* The last number given. */
uint64_t store_last_number(const struct store *s);
/* All that are given from here on are greater than this one, too. */
void store_skip_numbers(struct store *s, uint64_t last);

#endif
