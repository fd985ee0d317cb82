/* store_core.h: what a store is for the files of store/, whatever engine keeps its entries. */
#pragma once

#include "store/catalog.h"
#include "store/engine.h"
#include "store/spaces.h"
#include "store/vectors.h"

/* Maximum number of open units: a request's, and those for transitions that it settles. */
#define STORE_UNITS 8

/* A body's id in a file is its space's number followed by a serial number: this bounds both. */
#define STORE_ID_BITS    38
#define STORE_LAST_SPACE ((1u << (63 - STORE_ID_BITS)) - 2)

struct unit {
    struct store *store;
    struct arena *arena;
    bool writes;
    struct cursor *cursors; /* open cursors */
};

/* The head of every engine's cursor. */
struct cursor {
    struct unit *unit;   /* that opened it */
    struct cursor *next; /* in the list of the unit's open cursors */
};

/* An engine's store begins with this. */
struct store {
    const struct store_engine *engine;
    size_t sharers; /* owners besides the one who opened it */
    bool in_file;
    bool in_database;
    bool is_outdated;    /* in a database: tables are not as they are there */
    bool is_current;     /* in a database: that they are was seen since the call began */
    bool in_group;       /* in a file: a transaction is open, which lasts until the flush */
    bool group_lost;     /* it was rolled back by itself; the flush will report it */
    size_t group_units;  /* kept units since the last flush */
    bool is_full;        /* a file on a full disk: only deletes are written */
    size_t unit_changes; /* catalog changes before the writing unit began */
    struct unit units[STORE_UNITS]; /* the open units, the outermost first */
    size_t unit_count;
    struct unit *writer; /* the one that writes, or NULL */
    struct catalog catalog;
    size_t unread; /* tables of a snapshot's store, which are read when they are asked for; 0: all
                      tables are in the catalog */
    struct spaces spaces;
    struct vectors vectors;
    struct space_copy *copies; /* in progress, ordered by their new spaces */
    uint32_t next_space;
    uint64_t number; /* the last one given by store_next_number */
    unsigned tries;  /* store_set_tries */
    struct {
        char *at;
        size_t len, room;
    } conflict;           /* the key that the last conflict was about; len 0: unknown */
    bool may_have_doomed; /* false: no space waits for unit_reap */
};

/* The space in a key. */
uint32_t store_space_of(struct span key);

/* For engines: another process has changed what the work in `a` has read. Control goes to where the
 * work began, which undoes its units and runs it again. Returns an error if nothing there runs it
 * again. `key`: the changed entry's, or len 0 if that is unknown. */
MUST_CHECK const struct error *store_conflict(struct store *s, struct arena *a, struct span key);

/* Adds a record whose number is known: puts it into the body, and the body into the store. */
MUST_CHECK const struct error *store_put_record(struct unit *u, const struct store_record *r,
                                                uint64_t number);

/* Counts entries that came or went, and their bytes. */
void store_count_entry(struct unit *u, struct span key, int64_t entries, int64_t bytes);
