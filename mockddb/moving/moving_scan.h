/* moving_scan.h: reads a table: its schema, and page by page its items, those of a Query, or those
 * with given keys. */
#pragma once

#include "base/buf.h"
#include "base/cycle.h"
#include "client/client.h"
#include "moving/moving_names.h"

struct moving_scan {
    struct client *client;
    struct span table;
    bool is_missing;                  /* the table does not exist */
    const wire_node *described, *ttl; /* as the server sent them */
    struct span schema;               /* fixtures_table.h; moving_scan_schema sets it … */
    struct span lacks;                /* … and the settings that the schema lacks */
    struct span keys[2];              /* names of its key attributes */
    size_t key_count;
    uint64_t bytes, items;      /* the latest counts */
    struct client_pace *pace;   /* NULL: no limit */
    bool counts_units;          /* the pace is of read units, not of items */
    const wire_node *query;     /* the input of the Query that is read; NULL: a Scan */
    int64_t limit;              /* of a page's items; 0: the pace's of a second, or no limit */
    const wire_node **wanted;   /* the keys that are read by BatchGetItem; NULL: a Scan or Query */
    size_t wanted_count, taken; /* of them, how many were asked for */
    size_t absent;              /* of them, how many have no item */
    size_t idle;                /* answers to keys, since one left fewer keys unprocessed */
    const wire_node *page;      /* the answer with the current page */
    /* Start key of the next page, or unprocessed keys, as JSON; empty: neither. */
    struct buf start;
    struct cycle starts;
    bool done;
};

/* Describes the table by DescribeTable and DescribeTimeToLive; everything lives in the arena.
 * Returns NULL, or the error. */
MUST_CHECK const char *moving_scan_describe(struct arena *a, struct client *client,
                                            struct span table, struct moving_scan *out);
/* Like moving_scan_describe; the error lists existing tables if this one does not exist. */
MUST_CHECK const char *moving_scan_begin(struct arena *a, struct client *client, struct span table,
                                         struct moving_scan *out);

/* Reads the rest of the schema: tags, and which other settings there are. An operation that the
 * server does not know counts as no setting; a setting that may not be read is listed as possible.
 * Returns NULL, or the error. */
MUST_CHECK const char *moving_scan_schema(struct arena *a, struct moving_scan *s);

/* Reads the next page: a list of items in the arena, or NULL after the last page (`done` is set)
 * and for keys without items. Returns NULL, or the error. */
MUST_CHECK const char *moving_scan_next(struct moving_scan *s, struct arena *a,
                                        const wire_node **items);

/* Continues an earlier run: `done` items were read, or keys asked for, and the next page begins at
 * `start`. */
void moving_scan_resume(struct moving_scan *s, size_t done, struct span start);

/* Starts from the first page again. */
void moving_scan_again(struct moving_scan *s);

/* Adds the names of all tables of a client to *out. */
MUST_CHECK const char *moving_scan_tables(struct arena *a, struct client *client,
                                          struct moving_names *out);
