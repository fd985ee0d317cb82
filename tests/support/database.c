#include "support/database.h"

#include "store/store.h"

static sqlite3 *newest;

static int remember(sqlite3 *opened, char **problem, const void *functions)
{
    (void)problem, (void)functions;
    newest = opened;
    return SQLITE_OK;
}

void database_watch(void)
{
    store_start();
    sqlite3_auto_extension((void (*)(void))remember);
}

sqlite3 *database_newest(void)
{
    return newest;
}

int64_t database_count(const char *sql)
{
    sqlite3_stmt *statement;
    int64_t count = -1;

    if (sqlite3_prepare_v2(database_newest(), sql, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        count = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return count;
}
