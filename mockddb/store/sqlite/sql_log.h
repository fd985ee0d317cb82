/* sql_log.h: the write-ahead log of a database file, and how long it delays requests.
 *
 * Commits are appended to the log. When it has 128 MB, it is copied into the file at the end of a
 * turn, each page once, however often it changed: this is the one step that takes long. Before the
 * copy the log must be on the disk, and waiting for that would be most of the step; so the system
 * is asked to write the log while it grows. It has to write it in any case. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>

#include "store/sqlite/sql_room.h"

/* Measured with items of 1 KB and one index: with 32 MB PutItem has 0.50 instead of 0.60 of the
 * rate of memory mode. Opening what a crash left of 128 MB takes 45 ms. */
#define SQL_LOG_PAGES 16384 /* of 8 KB */

struct sql_log {
    bool early;                 /* it is written to the disk while it grows */
    int begun;                  /* pages that are being written to the disk, or were */
    struct sql_room room;       /* of the log */
    struct sql_room *file_room; /* of the file, which a copy of the log may truncate */
    bool has_reserve;           /* it has SQL_ROOM_BYTES after its content */
};

/* Takes over copying the log; *l lives as long as the database is open. `early` has no use if each
 * commit waits for the disk, or nothing ever does. */
void sql_log_watch(struct sql_log *l, sqlite3 *db, bool early, struct sql_room *file_room);

/* Whether the log has its reserve, or can get it now. */
bool sql_log_has_reserve(struct sql_log *l);

/* Called after the database was closed. */
void sql_log_close(struct sql_log *l);
