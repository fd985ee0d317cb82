/* sql_memory.h: where SQLite's memory comes from.
 *
 * Database pages lie side by side in a region for which huge pages are asked: a page fault then
 * brings 2 MB instead of 4 KB, and random reads find their address translation cached. With
 * 300 000 items of 1 KB that takes a quarter to a third off every read. All else, and the first
 * megabyte of pages, comes from malloc; where the system gives no such region, everything does. */
#ifndef STORE_SQLITE_SQL_MEMORY_H
#define STORE_SQLITE_SQL_MEMORY_H

/* To be called once, before SQLite is used for the first time. */
void sql_memory_install(void);

#endif
