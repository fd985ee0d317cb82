/* pg_store.h: what the files of store/pg share.
 *
 * One process writes a schema: it has taken the row of `process` (its epoch), and each unit that it
 * keeps changes that row, so a process from which it was taken writes nothing any more. So tables
 * and counts are in memory, as with the other engines; entries are not.
 *
 * A writing unit keeps its changes in memory (pg_change), where reads and cursors find them, and
 * sends them when it is kept: as one transaction, in which each statement fails unless its entry
 * still has the version that was read. The number of the last unit is in the row of `process` as
 * well: after a connection was lost it says whether that unit was done. */
#pragma once

#include "store/pg/pg_connection.h"
#include "store/pg/pg_key.h"
#include "store/store_core.h"

#define PG_SLOT     0    /* of the process that writes */
#define PG_LEASE_MS 5000 /* a row of `process` that does not change for this long can be taken */
#define PG_CALL_MS  2000 /* how long a call waits for a database that does not answer */

/* An entry that the writing unit has read or changed. */
struct pg_change {
    struct pg_place place;
    bool had;        /* in the database */
    int64_t version; /* there; 0: not known */
    bool has;        /* now */
    bool wrote;
    int64_t handle; /* the version now */
    size_t size;
    struct span body;
};

/* A space that becomes a copy of another one when the unit is kept. */
struct pg_copy {
    uint32_t from, to;
};

struct pg_store {
    struct store store;
    struct pg_url url;
    struct pg_connection db;
    struct arena *arena;      /* of texts that live as long as the store */
    int64_t epoch;            /* of the row in `process` */
    int64_t unit;             /* the number of the last unit that was sent */
    bool is_taken;            /* another process has taken that row */
    bool is_down;             /* the database did not answer a call */
    int64_t tried_ms;         /* when it was last tried, then */
    int64_t version;          /* the last one given */
    uint64_t number_reserved; /* store_next_number */
    uint8_t *parts;           /* of the spaces' keys (pg_key_place), by number */
    size_t parts_count;
    struct arena *work;         /* of the writing unit's changes */
    struct pg_change **changes; /* of the writing unit, in order */
    size_t change_count, change_room;
    struct pg_values **later; /* other statements of the writing unit */
    size_t later_count, later_room;
    size_t statements_before; /* that are sent before those of the changes */
    struct pg_copy *copies;   /* that the writing unit begins */
    size_t copy_count, copy_room;
    uint64_t kept;          /* how many units with changes were kept */
    struct pg_result *rows; /* of the last read */
    struct pg_cursor *idle;
};

static inline struct pg_store *pg_store_of(const struct store *s)
{
    return (struct pg_store *)(uintptr_t)s;
}

/* Connects if there is no connection. While the database is down a call does not wait for it. */
bool pg_store_connect(struct pg_store *p, int64_t deadline_ms);

/* Runs a statement that reads, also over a lost connection. Its rows are p->rows, until the next
 * one. */
MUST_CHECK const struct error *pg_store_read(struct pg_store *p, struct arena *a,
                                             const struct pg_values *v);
void pg_store_forget_rows(struct pg_store *p);

/* Logs a failure of the database, and returns the error for the client. */
MUST_CHECK const struct error *pg_store_failed(struct pg_store *p, struct arena *a,
                                               const char *doing);

/* Gives the row of `process` up. */
void pg_store_leave(struct pg_store *p);

/* The place of a key, in the arena. */
struct pg_place pg_store_place(const struct pg_store *p, struct arena *a, struct span key);
/* The place from which an entry is read: in the original, if the writing unit copies its space. */
struct pg_place pg_store_source(const struct pg_store *p, struct pg_place place);
/* Index of the first change that is not before that place. */
size_t pg_store_change_at(const struct pg_store *p, const struct pg_place *place);

/* Adds a statement to the writing unit; the caller adds its values, whose bytes are in p->work. */
struct pg_values *pg_store_later(struct unit *u, enum pg_sql which);

/* For the engine's row. */
const struct error *pg_unit_begin(struct store *s, struct arena *a);
const struct error *pg_unit_keep(struct store *s, struct arena *a);
void pg_unit_undo(struct store *s);
struct cursor *pg_cursor_open(struct unit *u, struct store_range range);
const struct error *pg_cursor_next(struct cursor *c, struct store_row *row);
void pg_cursor_close(struct cursor *c);
void pg_cursor_free_idle(struct pg_store *p);
void pg_store_refresh(struct store *s);
int64_t pg_store_renew(struct store *s);
bool pg_store_answers(struct store *s);

extern const struct store_engine pg_engine;
