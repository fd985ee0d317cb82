/* store.h: stores tables, items and everything else that must last.
 *
 * The store has two parts: the catalog (struct table by name), and entries: ordered byte keys
 * (model/key.h), each with a size and a body. The first four bytes of a key are its space: one
 * ordered set, such as the primary keys of a table, an index or a stream. An entry of a table's own
 * space owns its body; entries of index spaces refer to such a body, so that reading an index reads
 * the item. One thread, one request at a time.
 *
 * Work is done in units (store/unit.h). A kept unit is visible at once, and durable after
 * store_flush; an undone unit leaves no trace, nor in the catalog. No reply to a write may be sent
 * before the flush that follows it. Errors are ERROR_INTERNAL; their cause is logged here.
 *
 * Each way of keeping entries has a folder: memory/, sqlite/, pg/. */
#pragma once

#include "model/error.h"
#include "model/schema.h"

struct store;

enum store_sync { STORE_SYNC_OFF, STORE_SYNC_NORMAL, STORE_SYNC_FULL };

struct store_options {
    const char *path; /* NULL: in memory */
    const char *url;  /* of the database that it is in, in place of a path, or NULL */
    const char *name; /* its name in messages, which clients can read; NULL: its path */
    enum store_sync sync;
    bool compact;   /* rewrite the file without the gaps that deletions left */
    bool read_only; /* nothing will be written: a file that cannot be written can be opened, too */
    bool no_jobs;   /* in a database: another process does the jobs (store_owns) */
};

/* For a program that uses stores in one thread: sets up SQLite for it, before the first store is
 * opened. Without this, SQLite stays as the process has it, and several threads may have stores,
 * each its own. */
void store_start(void);

/* Whether a file contains tables of DynamoDB Local. It is read and never written. */
bool store_is_of_local(const char *path);

/* The message for such a file. */
#define STORE_OF_LOCAL                                                                     \
    "it is a file of DynamoDB Local, which stays as it is; to bring its tables over, run " \
    "DynamoDB "                                                                            \
    "Local on it with -port 8001, and: mockddb pull --endpoint http://127.0.0.1:8001 --db FILE"

/* Opens or creates a store; on failure returns NULL and sets *problem to a sentence in the arena
 * (not ours, damaged, newer, not writable, in use …). */
struct store *store_open(struct arena *a, const struct store_options *options,
                         const char **problem);

/* --- copies ----------------------------------------------------------------------------------- */

/* Copies a store in slices, to fork, snapshot and restore a world, or to write it to a file. The
 * copy is in memory, or in the file that the options name; it replaces an existing file. */
struct store_copying;

/* Begins a copy of `from`, which must have no open unit. Flushes changes first. Until the copy is
 * complete, `from` may be read, but not changed or freed. */
struct store_copying *store_copying_new(struct store *from, const struct store_options *options);

/* Does a slice of about a millisecond. Returns true when the copy is complete and can be placed,
 * again true when it is durable, or on an error. `wait`: waits for the disk if nothing else is left
 * to do. */
bool store_copying_step(struct store_copying *c, bool wait);

/* Whether it waits for the disk: a step does nothing until file_sync_bell rings. */
bool store_copying_waits(const struct store_copying *c);

/* Replaces *s, which was opened with the same options and is freed, by the complete copy; if *s is
 * NULL, opens the copy there. s NULL: the file gets its name and stays closed. In a file the old or
 * the new state exists, whenever the process ends. Returns NULL, or a sentence in the arena: then
 * *s is unchanged or, if it could not be opened again, NULL. */
const char *store_copying_place(struct arena *a, struct store_copying *c, struct store **s);

/* Why the steps failed, in one sentence that lives as long as *c; or NULL. */
const char *store_copying_problem(const struct store_copying *c);

/* Removes a copy that was not placed. c may be NULL. */
void store_copying_free(struct store_copying *c);

/* Adds an owner to the store. No owner may change it from then on; the last store_free frees it. */
struct store *store_share(struct store *s);

/* The file is about to be deleted: store_free does not copy the log into it. */
void store_leave_log(struct store *s);

/* Whether another process has the file of a store open, which this one has not. */
bool store_is_in_use(const char *path);

/* Deletes the file of a store that is not open, with its log, and with the file that was about to
 * replace it. */
void store_remove(struct arena *a, const char *path);

/* Bytes of memory in its entries, or in the pages of its database. */
size_t store_memory(const struct store *s);

void store_free(struct store *s); /* undoes open units, flushes; s may be NULL */

/* Undoes every open unit: for a request that was cut short. */
void store_abandon(struct store *s);

/* --- conflicts: other processes use the same database ----------------------------------------- */

/* Whether they do. */
bool store_is_shared(const struct store *s);
/* Whether this process does the work of jobs (jobs/job.h) now; units that it writes are not kept
 * any more when another one does it. */
bool store_owns(struct store *s);
/* After a call's work, when its units have ended: it is a conflict if the call used tables as they
 * were before another process changed them, and before the call began. */
MUST_CHECK const struct error *store_confirm(struct store *s, struct arena *a);

/* The work that begins now was undone this many times; 0: it runs for the first time. An engine may
 * lock what it reads to make the next try the last one. */
void store_set_tries(struct store *s, unsigned tries);
/* The key of the entry that the last conflict was about, valid until the next one; len 0:
 * unknown. */
struct span store_conflict_key(const struct store *s);

/* Whether kept changes outlive the process: it is in a file or in a database. */
bool store_lasts(const struct store *s);

/* Whether it is in a database. Such a store has no copies, store_renew keeps its right to write,
 * and a database may not answer. */
bool store_is_in_database(const struct store *s);
/* Says that the store is still used; returns in how many milliseconds to do so again, 0: never. */
int64_t store_renew(struct store *s);
/* Asks whether the store can be read. */
bool store_answers(struct store *s);

/* Whether it is a file that was opened for reading only, because it cannot be written. */
bool store_is_for_reading(const struct store *s);

/* Whether items may be written. False for a file on a full disk: the remaining room is for units
 * that delete. */
bool store_has_room(struct store *s);

/* The error for a request whose units were lost: the disk is full, or an internal error. */
MUST_CHECK const struct error *store_failure(const struct store *s, struct arena *a);

/* Makes all kept units durable. On an error, none since the last flush is. */
MUST_CHECK const struct error *store_flush(struct store *s, struct arena *a);
/* Whether kept units wait for a flush (in file mode; never in memory). */
bool store_needs_flush(const struct store *s);

/* --- as of now, with what the open unit has changed ------------------------------------------- */

/* Returns the table with this id (schema_id: its name, in the default region), or NULL. During a
 * call only its own units change tables; those of other processes come between two calls, or two
 * tries of one (store_release_tables). Valid until
 * store_release_tables after the unit that replaces or drops it, or that put it and was undone; in
 * a store from store_rebuild, until the next store_release_tables. */
const struct table *store_table(struct store *s, struct span id);
/* Frees tables that are no longer in the catalog. Called between calls, whose accounts and
 * observers use them. */
void store_release_tables(struct store *s);

/* Returns the first table after this id, or NULL: ordered by name in byte order, the default region
 * first (in a store from store_rebuild: ordered by id). */
const struct table *store_table_after(struct store *s, struct span id);
/* Returns the table after t in that order, or NULL; t NULL: the first. The arena gets t's id. */
const struct table *store_table_next(struct arena *a, struct store *s, const struct table *t);
size_t store_table_count(const struct store *s);

struct space_stats {
    int64_t entries;
    int64_t bytes;  /* total size of the entries */
    int64_t spared; /* total of unit_spare, for the space's owner */
};
/* For stores of this process alone; others: unit_stats. */
struct space_stats store_stats(const struct store *s, uint32_t space);

/* The packed vectors for its entries (store/vectors.h). Changes of a unit are noted at once; the
 * next search reads them again, whether the unit was kept or undone. */
struct vectors;
struct vectors *store_vectors(struct store *s);

/* Whether a space with this number was given out, so that it is not given out again; and whether it
 * is not given up. */
bool store_gave_space(const struct store *s, uint32_t space);
bool store_has_space(struct store *s, uint32_t space);

/* Whether there may be work for unit_reap. */
bool store_has_doomed(const struct store *s);

/* --- numbers ---------------------------------------------------------------------------------- */

/* Returns a number greater than all given before, also over restarts; undoing a unit does not give
 * its numbers again. */
uint64_t store_next_number(struct store *s);
/* The last number given. */
uint64_t store_last_number(const struct store *s);
/* Numbers after `last` are given again: they were given in units that were undone. */
void store_return_numbers(struct store *s, uint64_t last);
/* Later numbers are greater than this one, too. */
void store_skip_numbers(struct store *s, uint64_t last);
