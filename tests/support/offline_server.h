/* offline_server.h: a server without a socket, for unit tests and fuzz targets: a store, a clock
 * that stands still until it is moved, and the dispatcher that works with both.
 *
 * Members are open: tests look into the store, move the clock, and change settings on the way. */
#pragma once

#include "worlds/worlds.h"

struct offline_server {
    struct arena *arena; /* the caller's: answers are kept in it */
    struct settings settings;
    struct clock *clock;
    struct store *store;
    struct dispatch_memory *memory;
    const struct dispatch_budget *budget;
    struct metrics *metrics;
    struct dispatcher *dispatcher;
    struct span region; /* of the requests from here on; empty: the default one */
};

struct offline_options {
    int64_t now_ms; /* 0: OFFLINE_NOW_MS */
    uint64_t seed;  /* of randomness */
    struct store_options store;
    struct store *copy_of;                /* what the store begins as; NULL: what its options say */
    const struct dispatch_budget *budget; /* NULL: the ordinary one */
    struct metrics *metrics;              /* what CloudWatch's operations read; NULL: nothing */
    struct settings settings; /* where region and account are empty, us-east-1 and twelve zeros */
    struct journal_options journal; /* of worlds */
};

#define OFFLINE_NOW_MS 1700000000000 /* 2023-11-14T22:13:20Z */

/* Opens a server, which must not be moved or copied until it is closed. Where the store cannot be
 * opened, says why on stdout (tests that provoke failures silence stderr) and aborts: a test that
 * fails, or a finding. */
void offline_server_open(struct offline_server *s, struct arena *a,
                         const struct offline_options *options);
void offline_server_close(struct offline_server *s); /* the arena remains */

/* The input of CreateTable for "Table": items by pk, and byG, an index of all of them by g. */
extern const char offline_server_table[];

/* The input of CreateTable for a table of items by pk; `more` are further members, each behind a
 * comma. */
const char *offline_server_table_of(struct arena *a, const char *name, const char *more);

/* Makes the dispatcher anew, as after a restart. */
void offline_server_restart(struct offline_server *s);

/* Sends a request to the service that has the operation (DynamoDB where neither it nor its streams
 * have it), or to the one that is named in front of it ("TrentService.DescribeKey"), and returns
 * the status; *answer is the body, copied into the arena. */
int offline_server_send(struct offline_server *s, struct span operation, struct span body,
                        struct span *answer);

/* Worlds, of which the first is such a server, for what is above dispatch; *clock is its clock. */
struct worlds *offline_worlds_new(struct arena *a, const struct offline_options *options,
                                  struct clock **clock);
