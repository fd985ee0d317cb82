/* sql_store.h: what the source files of the SQLite engine share. */
#pragma once

#include "store/space_copy.h"
#include "store/sqlite/sql.h"
#include "store/store_core.h"

/* The first id of the space. */
static inline int64_t store_first_id(uint32_t space)
{
    return (int64_t)((uint64_t)space << STORE_ID_BITS);
}

/* Rows of the table meta. */
#define STORE_META_SPACE  "next_space"
#define STORE_META_NUMBER "next_number"

/* How a cursor reads: each way has its own statement. */
enum cursor_way { CURSOR_FORWARD, CURSOR_BACKWARD, KEYS_FORWARD, KEYS_BACKWARD, CURSOR_WAYS };

/* In memory, a unit is a transaction. In a file it is a savepoint in a transaction, the group,
 * which lasts until the flush. */
struct sql_store {
    struct store store;
    struct sql_db db;
    int reading_lock; /* for a file that cannot be written: a descriptor with a lock; or -1 */
    bool refuses;     /* a write was refused because the disk is full, which was logged */
    int64_t undone;   /* units and groups that were undone */
    uint64_t number_reserved;                /* in a file: numbers up to here may have been given */
    struct sql_cursor *cursors[CURSOR_WAYS]; /* idle cursors for reuse */
};

static inline struct sql_store *sql_store_of(const struct store *s)
{
    return (struct sql_store *)(uintptr_t)s;
}

static inline struct sql_db *sql_store_db(const struct store *s)
{
    return &sql_store_of(s)->db;
}

/* SQLite's work for a row, apart from its body's bytes, in steps of the budget. */
#define STORE_STATEMENT_STEPS    100
#define STORE_BODY_BYTES_AT_STEP 32

/* Bodies (unit_body.c) of the entries of a table's own space. Finds an id above all ids of the
 * space; adds a body; replaces a body, which may change its id; removes an entry's body. */
MUST_CHECK const struct error *store_find_end_id(struct unit *u, uint32_t space, int64_t *id);
MUST_CHECK const struct error *store_add_body(struct unit *u, uint32_t space, int64_t *id,
                                              struct span body);
MUST_CHECK const struct error *store_change_body(struct unit *u, uint32_t space, int64_t *id,
                                                 struct span body);
MUST_CHECK const struct error *store_let_go_of_body(struct unit *u, uint32_t space, int64_t id);
/* From now on, bodies of the space with an id below this may have several owners. */
MUST_CHECK const struct error *store_begin_sharing(struct unit *u, uint32_t space, int64_t below);
bool store_is_sharing(const struct store *s, uint32_t space);
/* Adds an owner. */
MUST_CHECK const struct error *store_share_body(struct unit *u, int64_t id);
/* Adds an entry at a new key that also owns the row's body. */
MUST_CHECK const struct error *store_share_row(struct unit *u, struct span key,
                                               const struct store_row *row);
/* Deletes entries low ≤ key < high, and the bodies that only they own; does not count them. */
MUST_CHECK const struct error *store_drop_range(struct unit *u, struct span low, struct span high,
                                                bool sharing);

/* Copies of spaces (store/space_copy.h): copies an entry that is about to change; whether a space
 * is being copied, and so must stay; ends the copy into `to`, if there is one. */
MUST_CHECK const struct error *store_before_change(struct unit *u, const struct store_row *row);
MUST_CHECK const struct error *store_before_range(struct unit *u, struct span low,
                                                  struct span high);
bool store_is_copied(const struct store *s, uint32_t from);
MUST_CHECK const struct error *store_give_up_copy(struct unit *u, uint32_t to);

/* The progress of copies is kept or undone with the unit, the flush, and when everything since the
 * last flush is undone. */
void store_keep_copies(struct store *s);
void store_undo_copies(struct store *s);
void store_flush_copies(struct store *s);
void store_rewind_copies(struct store *s);

/* Loads the copies that were in progress when the store was closed, or copied. */
MUST_CHECK const struct error *store_load_copies(struct store *s, struct arena *a);
void store_free_copies(struct store *s);

/* The store's name in messages. */
const char *store_name(const struct store_options *options);
/* Opens a store without tables, to be filled by a copy of another one. A file must not exist yet;
 * it is not synced. store_copying.c copies the pages. */
struct store *store_open_blank(struct arena *a, const struct store_options *options,
                               const char **problem);
/* The same with the tables of the format, to be filled with rows, and the end of that: everything
 * is committed. */
struct store *store_open_empty(struct arena *a, const struct store_options *options,
                               const char **problem);
const char *store_end_rows(struct arena *a, struct store *s, const struct store_options *options);
/* Takes over what `from` has besides its pages, after they were copied. Returns NULL, or a
 * sentence. */
const char *store_take_figures(struct arena *a, struct store *s, const struct store *from,
                               const struct store_options *options);
/* Explains SQLite's last error in a sentence. */
const char *store_explain(struct arena *a, struct store *s, const struct store_options *options);
/* Completes the replacement of a file that a crash interrupted; no other process may have it open.
 * Returns NULL, or a sentence. */
const char *store_finish_placing(struct arena *a, const struct store_options *options);
/* The name of a complete new file until it replaces the file at the path. */
const char *store_next_path(struct arena *a, const char *path);

/* Frees idle cursors. */
void store_free_cursors(struct store *s);

/* Reads the tables that are not in the catalog yet, before the store is changed. */
MUST_CHECK const struct error *store_read_tables(struct store *s, struct arena *a);

/* A store without a database yet, for store_free. */
struct store *store_new(void);

/* Checks that the database, whose pages are not trusted, is one of ours, and upgrades it. Returns
 * NULL, or a sentence. */
const char *store_open_pages(struct store *s, struct arena *a);

/* Saves a row of the table meta; returns an SQLite result code. */
int store_save_meta(struct store *s, const char *name, int64_t value);

/* Restores memory to the last flush, and undoes it in SQLite. */
void store_undo_group(struct store *s);
/* After a commit: everything kept is durable. */
void store_settle(struct store *s);

/* Runs a bound statement that must change one row. */
MUST_CHECK const struct error *store_change_one(struct store *s, struct arena *a,
                                                sqlite3_stmt *statement, const char *doing);

/* Runs a statement without values. */
MUST_CHECK const struct error *store_run(struct store *s, struct arena *a, enum sql which,
                                         const char *doing);

/* Logs SQLite's error and returns the client's error. Ends the process if memory is out. Must be
 * called right after the failure. */
MUST_CHECK const struct error *store_failed(struct store *s, struct arena *a, const char *doing);
void store_sql_free(struct store *s);
size_t store_sql_memory(const struct store *s);
MUST_CHECK const struct error *store_sql_begin(struct store *s, struct arena *a);
MUST_CHECK const struct error *store_sql_keep(struct store *s, struct arena *a);
void store_sql_undo(struct store *s);
void store_sql_leave(struct store *s);
MUST_CHECK const struct error *store_sql_get(struct unit *u, struct span key,
                                             struct store_row *row);
MUST_CHECK const struct error *store_sql_put(struct unit *u, struct store_row *row, size_t size,
                                             struct span body);
MUST_CHECK const struct error *store_sql_delete(struct unit *u, struct store_row *row);
MUST_CHECK const struct error *store_sql_link(struct unit *u, struct store_row *entry,
                                              const struct store_row *owner, size_t size);
MUST_CHECK const struct error *store_sql_unlink(struct unit *u, struct store_row *entry);
MUST_CHECK const struct error *store_sql_share(struct unit *u, struct span key,
                                               const struct store_row *row);
int64_t store_sql_owner(const struct store_row *row);
MUST_CHECK const struct error *store_sql_delete_range(struct unit *u, struct span low,
                                                      struct span high);
MUST_CHECK const struct error *store_sql_number_space(struct unit *u, unsigned parts);
MUST_CHECK const struct error *store_sql_drop_space(struct unit *u, uint32_t space);
MUST_CHECK const struct error *store_sql_reap(struct unit *u, bool *more);
bool store_sql_is_doomed(struct store *s, uint32_t space);
const struct table *store_sql_read_table(struct store *s, struct span id, bool after);
MUST_CHECK const struct error *store_sql_put_table(struct unit *u, const struct table *t,
                                                   uint64_t *version);
MUST_CHECK const struct error *store_sql_remove_table(struct unit *u, struct span id);
struct cursor *store_sql_open_cursor(struct unit *u, struct store_range range);
MUST_CHECK const struct error *store_sql_next(struct cursor *cursor, struct store_row *row);
void store_sql_close_cursor(struct cursor *cursor);
MUST_CHECK const struct error *store_sql_begin_copy(struct unit *u, uint32_t from, uint32_t *to);
MUST_CHECK const struct error *store_sql_step_copy(struct unit *u, uint32_t to, bool *more);
uint32_t store_sql_next_copy(const struct store *s, uint32_t after);
