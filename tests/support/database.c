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
