/* sql_room.h: room on the disk that belongs to a file before it is written.
 *
 * On a full disk a delete needs room as well: the log grows with it, and later the file, when the
 * log is copied. So each of the two is given blocks behind its end in advance. Items are written
 * only as long as these reserves are whole; deletes may use them. Where the file system cannot
 * reserve blocks, every file counts as having room, and a full disk is noticed by a failed write.
 */
#ifndef STORE_SQLITE_SQL_ROOM_H
#define STORE_SQLITE_SQL_ROOM_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes of a page of a file. */
#define SQL_PAGE_BYTES 8192

/* Reserve of the file and of the log: what some hundred small deletes of one turn change. */
#define SQL_ROOM_BYTES ((int64_t)2 << 20)

struct sql_room {
    bool is_open;
    int file;
    bool unknown;  /* the file system does not reserve blocks */
    int64_t bytes; /* from its beginning on, for which the file has blocks */
};

/* Opens the file, unless it is open or does not exist. The caller closes it after the database:
 * closing any descriptor of a file drops the locks that SQLite has on it. */
void sql_room_open(struct sql_room *r, const char *path);
void sql_room_close(struct sql_room *r);

/* The file may have been cut to its length: blocks behind that count as given back. */
void sql_room_cut(struct sql_room *r);

/* Whether the file has blocks for `bytes` bytes; gets them if it can. */
bool sql_room_reach(struct sql_room *r, int64_t bytes);

#endif
