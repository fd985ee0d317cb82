/* sql_memory.h: SQLite's memory allocator.
 *
 * Database pages are adjacent in a region with huge pages: a page fault then maps 2 MB instead of 4
 * KB, and random reads find their address translation cached. With 300 000 items of 1 KB that makes
 * reads a quarter to a third faster. Everything else, and the first megabyte of pages, comes from
 * malloc; if the system has no such region, everything does. */
#pragma once

/* Must be called once, before the first use of SQLite. */
void sql_memory_install(void);
