/* engine.h: what keeps the entries of stores: SQLite for files and their snapshots, an ordered
 * map in memory, or PostgreSQL.
 *
 * Each function does the part of one of store.h, unit.h, cursor.h or space_copy.h that depends on
 * how entries are kept; units, tables, counts and numbers are the same for all engines
 * (store_core.h). Functions that return an error leave the store so that the unit can be undone.
 * Each that reads, and keep, may find a conflict with another process (store_conflict). */
#pragma once

#include "store/cursor.h"

struct store_engine {
    /* Frees the engine's part of the store, and *s. */
    void (*free)(struct store *s);
    /* Bytes of memory in its entries. */
    size_t (*memory)(const struct store *s);

    /* The writing unit begins, is kept or undone. If keeping fails, it is undone. */
    const struct error *(*begin)(struct store *s, struct arena *a);
    const struct error *(*keep)(struct store *s, struct arena *a);
    void (*undo)(struct store *s);
    /* A unit ends that may have been left in the middle of any call. */
    void (*leave)(struct store *s);

    const struct error *(*get)(struct unit *u, struct span key, struct store_row *row);
    const struct error *(*put)(struct unit *u, struct store_row *row, size_t size,
                               struct span body);
    const struct error *(*delete)(struct unit *u, struct store_row *row);
    const struct error *(*link)(struct unit *u, struct store_row *entry,
                                const struct store_row *owner, size_t size);
    const struct error *(*unlink)(struct unit *u, struct store_row *entry);
    /* Adds an entry at a new key that has the size and the body of another one; the handle of the
     * entry with the body that a row refers to. For copies of stores. */
    const struct error *(*share)(struct unit *u, struct span key, const struct store_row *row);
    int64_t (*owner)(const struct store_row *row);
    const struct error *(*delete_range)(struct unit *u, struct span low, struct span high);

    /* store_next_number; NULL: they are counted in memory. Of records: NULL: the same numbers. */
    uint64_t (*number)(struct store *s);
    const struct error *(*append)(struct unit *u, const struct store_record *r);
    const struct error *(*last_number)(struct unit *u, struct span shard, uint64_t *out);
    /* NULL: all counts are in memory (store_stats). */
    const struct error *(*stats)(struct unit *u, uint32_t space, struct space_stats *out);
    const struct error *(*is_empty)(struct unit *u, uint32_t space, bool *empty);

    /* The next space's number is given, to keys with `parts` partition attributes; a space with
     * entries is given up; whether this one is. */
    const struct error *(*number_space)(struct unit *u, unsigned parts);
    const struct error *(*drop_space)(struct unit *u, uint32_t space);
    const struct error *(*reap)(struct unit *u, bool *more);
    bool (*is_doomed)(struct store *s, uint32_t space);

    /* Tables. read_table is for those of a snapshot that are not in the catalog (`unread`): the one
     * with this id, or the first after it. put_table may set another version. */
    const struct table *(*read_table)(struct store *s, struct span id, bool after);
    const struct error *(*put_table)(struct unit *u, const struct table *t, uint64_t *version);
    const struct error *(*remove_table)(struct unit *u, struct span id);
    void (*guard_table)(struct unit *u, const struct table *t); /* NULL: no other process writes */

    struct cursor *(*open_cursor)(struct unit *u, struct store_range range);
    const struct error *(*next)(struct cursor *c, struct store_row *row);
    void (*close_cursor)(struct cursor *c);

    /* store_owns, store_confirm, unit_knows_space, unit_want. NULL: no other process writes. */
    bool (*owns)(struct store *s);
    const struct error *(*confirm)(struct store *s, struct arena *a);
    const struct error *(*knows_space)(struct unit *u, uint32_t space, bool *known);
    const struct error *(*want)(struct unit *u, const struct span *keys, size_t count);

    const struct error *(*begin_copy)(struct unit *u, uint32_t from, uint32_t *to);
    /* NULL: a copy is made as a whole when it begins. */
    const struct error *(*step_copy)(struct unit *u, uint32_t to, bool *more);
    uint32_t (*next_copy)(const struct store *s, uint32_t after);

    /* Of databases: loads tables again (`is_outdated`), between two calls; store_renew;
     * store_answers. */
    void (*refresh)(struct store *s);
    int64_t (*renew)(struct store *s);
    bool (*answers)(struct store *s);
};

/* store_open for a file, or for a database in memory, which snapshots of files are. */
struct store *store_sql_open(struct arena *a, const struct store_options *options,
                             const char **problem);

/* Entries in SQLite. */
extern const struct store_engine store_sqlite;
/* Entries in an ordered map, which a copy of the store shares. */
extern const struct store_engine store_in_memory;
