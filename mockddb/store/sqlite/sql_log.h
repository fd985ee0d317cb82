/* sql_log.h: the write-ahead log of a database in a file, and how long it holds others up.
 *
 * What is committed is appended to the log. Once that has 128 MB, it is copied into the file at the
 * end of a turn, each page once, however often it changed: the one step that takes long. Before
 * anything is copied the disk has to have the log, and that would be the larger part of the step;
 * so the system is asked to bring the log there while it grows. It has to write it in any case. */
#ifndef STORE_SQLITE_SQL_LOG_H
#define STORE_SQLITE_SQL_LOG_H

#include <sqlite3.h>
#include <stdbool.h>

#include "store/sqlite/sql_room.h"

/* Measured with items of 1 KB and one index: with 32 MB PutItem has 0.50 instead of 0.60 of the
 * rate of memory mode. Opening what a crash left of 128 MB takes 45 ms. */
#define SQL_LOG_PAGES 16384 /* of 8 KB */

struct sql_log {
    bool early;                 /* it goes to the disk while it grows */
    int begun;                  /* pages that are on their way to the disk, or there */
    struct sql_room room;       /* the log's */
    struct sql_room *file_room; /* the file's, which a copy of the log cuts */
    bool has_reserve;           /* of SQL_ROOM_BYTES behind what is in the log */
};

/* Takes over when the log is copied; *l lives as long as the database is open. `early` is of no use
 * where each commit waits for the disk, or nothing ever does. */
void sql_log_watch(struct sql_log *l, sqlite3 *db, bool early, struct sql_room *file_room);

/* Whether the log has its reserve, or can get it now. */
bool sql_log_has_reserve(struct sql_log *l);

/* Once the database is closed. */
void sql_log_close(struct sql_log *l);

#endif
