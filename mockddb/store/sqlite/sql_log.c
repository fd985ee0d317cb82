#include "store/sqlite/sql_log.h"

#include "base/platform.h"

#include <fcntl.h>
#include <stddef.h>

#define EARLY_PAGES 256 /* written to the disk together */

#define PAGE_HEADER 24 /* bytes before each page in the log */

/* The end of a log of `pages` pages with its reserve. */
static int64_t end_of_reserve(int pages)
{
    return (int64_t)pages * (SQL_PAGE_BYTES + PAGE_HEADER) + SQL_ROOM_BYTES;
}

/* Called after each commit; the log has `pages` pages. A failed copy is tried again after the next
 * commit. */
static int grew(void *context, sqlite3 *db, const char *name, int pages)
{
    struct sql_log *l = context;

    if (pages < l->begun) /* it was copied, and starts again */
        l->begun = 0;
    sql_room_open(&l->room, sqlite3_filename_wal(sqlite3_db_filename(db, name)));
    l->has_reserve = sql_room_reach(&l->room, end_of_reserve(pages));
    if (pages >= SQL_LOG_PAGES || !l->has_reserve) {
        int mode = l->has_reserve ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_TRUNCATE;

        /* Copies the log into the file. If the log cannot grow further, its blocks are given back.
         */
        if (sqlite3_wal_checkpoint_v2(db, name, mode, NULL, NULL) == SQLITE_OK && !l->has_reserve) {
            sql_room_cut(&l->room);
            l->has_reserve = sql_room_reach(&l->room, end_of_reserve(0));
        }
        sql_room_cut(l->file_room);
    } else if (l->early && pages - l->begun >= EARLY_PAGES) {
        /* If the system does not support this, the copy waits for the disk later. */
        if (l->room.is_open)
            platform_begin_writing(l->room.file);
        l->begun = pages;
    }
    return SQLITE_OK;
}

void sql_log_watch(struct sql_log *l, sqlite3 *db, bool early, struct sql_room *file_room)
{
    const char *file = sqlite3_db_filename(db, "main");

    l->early = early;
    l->file_room = file_room;
    sql_room_open(file_room, file);
    sql_room_open(&l->room, sqlite3_filename_wal(file));
    l->has_reserve = sql_room_reach(&l->room, end_of_reserve(0));
    sqlite3_wal_hook(db, grew, l);
}

bool sql_log_has_reserve(struct sql_log *l)
{
    l->has_reserve = l->has_reserve || sql_room_reach(&l->room, end_of_reserve(0));
    return l->has_reserve;
}

void sql_log_close(struct sql_log *l)
{
    sql_room_close(&l->room);
}
