/* sql_room.h: blocks on the disk that belong to a file before it is written.
 *
 * On a full disk even a delete needs blocks: for the log, and later for the file, when the log is
 * copied. So each of the two has blocks reserved after its end. Items are written only while these
 * reserves are complete; deletes may use them. If the file system cannot reserve blocks, every file
 * counts as having room, and a full disk shows in a failed write. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Bytes of a page of a file. */
#define SQL_PAGE_BYTES 8192

/* Reserve of the file and of the log: enough for some hundred small deletes in a turn. */
#define SQL_ROOM_BYTES ((int64_t)2 << 20)

struct sql_room {
    bool is_open;
    int file;
    bool unknown;  /* the file system cannot reserve blocks */
    int64_t bytes; /* the file has blocks up to here */
};

/* Opens the file, unless it is open or does not exist. The caller must close it after the database:
 * closing any descriptor of a file releases SQLite's locks on it. */
void sql_room_open(struct sql_room *r, const char *path);
void sql_room_close(struct sql_room *r);

/* The file may have been truncated: blocks after its end count as given back. */
void sql_room_cut(struct sql_room *r);

/* Whether the file has blocks for `bytes` bytes; allocates them if possible. */
bool sql_room_reach(struct sql_room *r, int64_t bytes);
