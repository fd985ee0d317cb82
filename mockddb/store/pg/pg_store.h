/* pg_store.h: what the files of store/pg share.
 *
 * Several processes write a schema. Tables are in memory, entries and counts are not. The number
 * `control` of the table `meta` changes with every change of tables and spaces: the first statement
 * of each call asks whether it is the one that this process has loaded, and who changes tables
 * changes it in the same transaction.
 *
 * A writing unit keeps its changes in memory (pg_change), where reads and cursors find them, and
 * sends them when it is kept: as one transaction, in which each statement fails unless its entry
 * still has the version that was read. What it has only read is checked in the same way.
 *
 * Each process has a row of the table `process`, renews it, and changes it in each unit that it
 * keeps. So a process that was stopped for too long, and whose row another one has ended, keeps
 * nothing any more; and after a connection was lost, the number of the last unit there says whether
 * that unit was done. The row also says which `control` the process has seen: what may only begin
 * when all processes know of a table's change waits for that. */
#pragma once

#include "store/pg/pg_connection.h"
#include "store/pg/pg_key.h"
#include "store/store_core.h"

#define PG_CALL_MS   2000 /* how long a call waits for a database that does not answer */
#define PG_HOT_COUNT 64   /* hot entries that are remembered */

/* An entry that the open units have read or changed. */
struct pg_change {
    struct pg_place place;
    bool had;        /* in the database */
    int64_t version; /* there; 0: not known */
    bool has;        /* now */
    bool wrote;
    int64_t handle; /* the version now */
    size_t size;
    struct span body;
    size_t sent_at; /* the number of its statement in the transaction */
};

/* A record that gets its number when the unit is kept. */
struct pg_record {
    struct pg_place shard;
    struct store_record record;
    int64_t version;
};

/* What a space has in the database, as an open unit has read it. */
struct pg_count {
    uint32_t space;
    struct space_stats stats;
};

/* An entry that units met others at lately. */
struct pg_hot {
    uint32_t space, hash;
    int64_t until_ms; /* by clock_monotonic_ms */
};

/* A copy of a space that is made in slices (pg_copy.c). */
struct pg_slices;

/* A space that becomes a copy of another one when the unit is kept. */
struct pg_copy {
    uint32_t from, to;
};

struct pg_store {
    struct store store;
    struct pg_url url;
    struct pg_connection db;
    struct arena *arena;   /* of texts that live as long as the store */
    int64_t slot, epoch;   /* of the row in `process` */
    int64_t unit;          /* the number of the last unit that was sent */
    bool is_ended;         /* another process has ended that row */
    bool is_unsure;        /* whether the last unit was done is not known */
    bool is_down;          /* the database did not answer a call */
    int64_t tried_ms;      /* when it was last tried, then */
    bool wants_jobs;       /* it does the jobs if no other process does */
    int64_t owns_until_ms; /* it does them until then, by clock_monotonic_ms */
    int64_t version;       /* the last one given */
    int64_t control;       /* of the tables in memory */
    int64_t unit_control;  /* that the writing unit sets; 0: it changes no tables or spaces */
    uint8_t *parts;        /* of the spaces' keys (pg_key_place), by number */
    size_t parts_count;
    uint32_t known_spaces;      /* those below this number have been loaded */
    struct arena *work;         /* of the units' changes */
    struct pg_change **changes; /* in order */
    size_t change_count, change_room;
    struct pg_values **later; /* other statements of the writing unit */
    size_t later_count, later_room;
    struct pg_record *records; /* of the writing unit, by shard */
    size_t record_count, record_room;
    const struct table **guards; /* that must not have been replaced when the unit is kept */
    size_t guard_count, guard_room;
    struct pg_count *counts;
    size_t count_count, count_room;
    struct pg_copy *copies; /* that the writing unit begins */
    size_t copy_count, copy_room;
    struct pg_slices *slices; /* copies in progress */
    size_t slices_count, slices_room;
    size_t statements_of_head; /* of a unit, which are about processes and tables */
    struct pg_hot hot[PG_HOT_COUNT];
    bool has_lock;          /* a transaction is open, which has locked what the unit read first */
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
 * one. The first one of a call meets a conflict if tables have changed; `v` NULL: it only asks for
 * that. */
MUST_CHECK const struct error *pg_store_read(struct pg_store *p, struct arena *a,
                                             const struct pg_values *v);
void pg_store_forget_rows(struct pg_store *p);
/* Ends the transaction that has a lock, if there is one. */
void pg_store_unlock(struct pg_store *p);

/* Logs a failure of the database, and returns the error for the client. */
MUST_CHECK const struct error *pg_store_failed(struct pg_store *p, struct arena *a,
                                               const char *doing);

/* The place of a key, in the arena. */
struct pg_place pg_store_place(const struct pg_store *p, struct arena *a, struct span key);
/* The place from which an entry is read: in the original, if the writing unit copies its space. */
struct pg_place pg_store_source(const struct pg_store *p, struct pg_place place);
/* Index of the first change that is not before that place. */
size_t pg_store_change_at(const struct pg_store *p, const struct pg_place *place);

/* A version that is greater than all that this process has seen. */
int64_t pg_store_next_version(struct pg_store *p);
void pg_store_note_version(struct pg_store *p, int64_t version);

/* Notes the partition attributes of a space's keys. */
void pg_store_note_space(struct pg_store *p, struct arena *a, uint32_t number, unsigned parts);

/* Adds a statement to the writing unit; the caller adds its values, whose bytes are in p->work. */
struct pg_values *pg_store_later(struct unit *u, enum pg_sql which);
/* Like pg_store_later, for one that changes tables or spaces. */
struct pg_values *pg_store_control(struct unit *u, enum pg_sql which);

/* pg_process.c: the row of this process. Takes one, a new one if the last was ended; gives it up;
 * finds out after a unit could not change it whether that unit was done (PG_DONE), or not. Returns
 * NULL or what is wrong. */
const char *pg_process_take(struct pg_store *p, struct arena *a);
void pg_process_leave(struct pg_store *p);
enum pg_outcome pg_process_look(struct pg_store *p, int64_t deadline_ms);
int64_t pg_process_renew(struct store *s);
bool pg_process_owns(struct store *s);

/* pg_copy.c: loads the copies that are made in slices. Returns NULL or what is wrong. */
const char *pg_copy_load(struct pg_store *p, struct arena *a);
/* Sends the copies that the unit makes, and what keeps the entries that it changes as they were
 * for others; the unit was kept, or undone. */
void pg_copy_send(struct pg_store *p);
void pg_copy_kept(struct pg_store *p);
void pg_copy_undone(struct pg_store *p);
/* Whether a copy is made of the space. A space that is given up ends the copy into it. */
bool pg_copy_reads(const struct pg_store *p, uint32_t space);
MUST_CHECK const struct error *pg_copy_give_up(struct unit *u, uint32_t to);

/* For the engine's row. */
extern const struct store_engine pg_engine;
/* Numbers as an array of PostgreSQL, in the arena. */
struct span pg_unit_int4_array(struct arena *a, const uint32_t *at, size_t count);
const struct error *pg_unit_keep(struct store *s, struct arena *a);
const struct error *pg_space_number(struct unit *u, unsigned parts);
const struct error *pg_space_drop(struct unit *u, uint32_t number);
const struct error *pg_space_reap(struct unit *u, bool *more);
bool pg_space_is_doomed(struct store *s, uint32_t space);
const struct error *pg_space_known(struct unit *u, uint32_t space, bool *known);
const struct error *pg_space_stats(struct unit *u, uint32_t space, struct space_stats *out);
const struct error *pg_space_is_empty(struct unit *u, uint32_t space, bool *empty);
const struct error *pg_copy_begin(struct unit *u, uint32_t from, uint32_t *to);
const struct error *pg_copy_step(struct unit *u, uint32_t to, bool *more);
uint32_t pg_copy_next(const struct store *s, uint32_t after);
struct cursor *pg_cursor_open(struct unit *u, struct store_range range);
const struct error *pg_cursor_next(struct cursor *c, struct store_row *row);
void pg_cursor_close(struct cursor *c);
void pg_cursor_free_idle(struct pg_store *p);
void pg_store_refresh(struct store *s);
bool pg_store_answers(struct store *s);
const struct error *pg_store_confirm(struct store *s, struct arena *a);
