#define _GNU_SOURCE /* sync_file_range */

#include "store/sqlite/sql_log.h"

#include <fcntl.h>
#include <unistd.h>

#define EARLY_PAGES 256 /* are brought to the disk together */

/* Where the system does not do it, the copy waits for the disk, as it would anyway. */
static void begin_writing(struct sql_log *l, sqlite3 *db, const char *name)
{
    if (!l->is_open) {
        l->file = open(sqlite3_filename_wal(sqlite3_db_filename(db, name)), O_RDONLY | O_CLOEXEC);
        l->is_open = l->file >= 0;
    }
    if (l->is_open)
        (void)sync_file_range(l->file, 0, 0, SYNC_FILE_RANGE_WRITE);
}

/* After each commit; `pages` are in the log. A copy that fails is tried again after the next. */
static int grew(void *context, sqlite3 *db, const char *name, int pages)
{
    struct sql_log *l = context;

    if (pages < l->begun) /* it was copied, and begins anew */
        l->begun = 0;
    if (pages >= SQL_LOG_PAGES) {
        (void)sqlite3_wal_checkpoint_v2(db, name, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    } else if (l->early && pages - l->begun >= EARLY_PAGES) {
        begin_writing(l, db, name);
        l->begun = pages;
    }
    return SQLITE_OK;
}

void sql_log_watch(struct sql_log *l, sqlite3 *db, bool early)
{
    l->early = early;
    sqlite3_wal_hook(db, grew, l);
}

void sql_log_close(struct sql_log *l)
{
    if (l->is_open)
        (void)close(l->file);
    l->is_open = false;
}
