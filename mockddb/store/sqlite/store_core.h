/* store_core.h: what the sources of the store share. */
#ifndef STORE_SQLITE_STORE_CORE_H
#define STORE_SQLITE_STORE_CORE_H

#include "store/catalog.h"
#include "store/cursor.h"
#include "store/space_copy.h"
#include "store/spaces.h"
#include "store/sqlite/sql.h"
#include "store/vectors.h"

/* A body's id is its space's number and a running number below it, so that the bodies of a space
 * are a range of their own and new ones are appended to it. */
#define STORE_ID_BITS    38
#define STORE_LAST_SPACE ((1u << (63 - STORE_ID_BITS)) - 2)

/* The first id of the space. */
static inline int64_t store_first_id(uint32_t space)
{
    return (int64_t)((uint64_t)space << STORE_ID_BITS);
}

/* Rows of the table meta. */
#define STORE_META_SPACE  "next_space"
#define STORE_META_NUMBER "next_number"

/* Units that are open at a time: a request's, and those of what it has to settle on the way. */
#define STORE_UNITS 8

struct unit {
    struct store *store;
    struct arena *arena;
    bool writes;
    struct cursor *cursors; /* that are open */
};

/* How a cursor reads: each way has a statement of its own. */
enum cursor_way { CURSOR_FORWARD, CURSOR_BACKWARD, KEYS_FORWARD, KEYS_BACKWARD, CURSOR_WAYS };

/* In memory a unit is a transaction. In a file it is a savepoint in a transaction, the group,
 * that lasts until the flush. */
struct store {
    struct sql_db db;
    size_t sharers; /* besides the one who opened it */
    bool in_file;
    int reading_lock;    /* file that cannot be written: a descriptor that holds a lock; or -1 */
    bool in_group;       /* file: a transaction is open */
    bool group_lost;     /* SQLite undid the group of its own accord; the flush will say so */
    size_t group_units;  /* kept units since the last flush */
    size_t unit_changes; /* catalog changes before the unit that writes began */
    struct unit units[STORE_UNITS]; /* those that are open, from the outermost in */
    size_t unit_count;
    struct unit *writer;                 /* the one of them that writes, or NULL */
    struct cursor *cursors[CURSOR_WAYS]; /* idle ones, to be opened again */
    struct space_copy *copies;           /* that are being made, by their new spaces */
    struct catalog catalog;
    struct spaces spaces;
    struct vectors vectors;
    uint32_t next_space;
    bool is_full;             /* a file whose disk had no room: only what makes room is written */
    bool refuses;             /* … and a write was refused for that, which was logged */
    uint64_t number;          /* the last that store_next_number gave */
    uint64_t number_reserved; /* in a file: numbers up to here may have been given */
    bool may_have_doomed;     /* false: no space waits for unit_reap */
};

/* SQLite's work on a row, besides the bytes of its body, in steps of the budget. */
#define STORE_STATEMENT_STEPS    100
#define STORE_BODY_BYTES_AT_STEP 32

uint32_t store_space_of(struct span key);

/* Bodies (unit_body.c) of the entries of a table's own space. Above the ids of all that the space
 * has; a new one; another text in place of one, which may get another id; one whose entry goes. */
MUST_CHECK const struct error *store_find_end_id(struct unit *u, uint32_t space, int64_t *id);
MUST_CHECK const struct error *store_add_body(struct unit *u, uint32_t space, int64_t *id,
                                              struct span body);
MUST_CHECK const struct error *store_change_body(struct unit *u, uint32_t space, int64_t *id,
                                                 struct span body);
MUST_CHECK const struct error *store_let_go_of_body(struct unit *u, uint32_t space, int64_t id);
/* From here on bodies of the space with an id below this may have several owners. */
MUST_CHECK const struct error *store_begin_sharing(struct unit *u, uint32_t space, int64_t below);
bool store_is_sharing(const struct store *s, uint32_t space);
/* It has one owner more. */
MUST_CHECK const struct error *store_share_body(struct unit *u, int64_t id);
/* Puts an entry at a new key that owns the row's body, too. */
MUST_CHECK const struct error *store_share_row(struct unit *u, struct span key,
                                               const struct store_row *row);
/* Deletes entries low ≤ key < high, and what they alone own; counts nothing. */
MUST_CHECK const struct error *store_drop_range(struct unit *u, struct span low, struct span high,
                                                bool sharing);

/* Copies of spaces (store/space_copy.h): what is about to change is copied first; whether a space
 * is being copied, and so must stay; the copy into `to`, if there is one, ends. */
MUST_CHECK const struct error *store_before_change(struct unit *u, const struct store_row *row);
MUST_CHECK const struct error *store_before_range(struct unit *u, struct span low,
                                                  struct span high);
bool store_is_copied(const struct store *s, uint32_t from);
MUST_CHECK const struct error *store_give_up_copy(struct unit *u, uint32_t to);

/* How far they are follows the unit that is kept or undone, the flush, and where all since the last
 * flush is undone. */
void store_keep_copies(struct store *s);
void store_undo_copies(struct store *s);
void store_flush_copies(struct store *s);
void store_rewind_copies(struct store *s);

/* Takes up those that were under way when the store was closed, or copied. */
MUST_CHECK const struct error *store_load_copies(struct store *s, struct arena *a);
void store_free_copies(struct store *s);

/* What sentences about the store call it. */
const char *store_name(const struct store_options *options);
/* Opens a store without tables that a copy of another one is to fill. A file must not be there yet;
 * the disk is not asked to take it. store_copying.c copies the pages. */
struct store *store_open_blank(struct arena *a, const struct store_options *options,
                               const char **problem);
/* What `from` has beside its pages, once they are copied. NULL, or one sentence. */
const char *store_take_figures(struct arena *a, struct store *s, const struct store *from,
                               const struct store_options *options);
/* What the last failure of SQLite means, in one sentence. */
const char *store_explain(struct arena *a, struct store *s, const struct store_options *options);
/* Finishes the replacement of a file that a crash interrupted; no other process may have it open.
 * NULL, or one sentence. */
const char *store_finish_placing(struct arena *a, const struct store_options *options);
/* What a whole new file is called until it replaces the file at the path. */
const char *store_next_path(struct arena *a, const char *path);

/* Frees cursors that nobody has open. */
void store_free_cursors(struct store *s);

/* A store without a database yet, for store_free. */
struct store *store_new(void);

/* Checks that the database, whose pages anybody may have written, is one of ours, and brings it up
 * to date. NULL, or one sentence. */
const char *store_open_pages(struct store *s, struct arena *a);

/* Saves one row of the table meta; an SQLite result code. */
int store_save_meta(struct store *s, const char *name, int64_t value);

/* Takes memory back to the last flush and undoes what SQLite has of it. */
void store_undo_group(struct store *s);
/* Memory follows the database: what was kept is lasting. */
void store_settle(struct store *s);

/* Runs a bound statement that must change one row. */
MUST_CHECK const struct error *store_change_one(struct store *s, struct arena *a,
                                                sqlite3_stmt *statement, const char *doing);

/* Runs a statement without values. */
MUST_CHECK const struct error *store_run(struct store *s, struct arena *a, enum sql which,
                                         const char *doing);

/* Logs what SQLite has to say and gives the client's error. Ends the process when memory is out.
 * Call it right after the failure. */
MUST_CHECK const struct error *store_failed(struct store *s, struct arena *a, const char *doing);

#endif
