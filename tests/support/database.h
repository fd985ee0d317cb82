/* database.h: SQLite's side of a store, for tests that provoke failures or look at what is in a
 * file: the newest database that a store of this process opened. */
#pragma once

#include <sqlite3.h>
#include <stdint.h>

/* To be called before the first store is opened; again does no harm. */
void database_watch(void);

sqlite3 *database_newest(void);

/* What a query for one number says of it; -1 where it cannot be run. */
int64_t database_count(const char *sql);
