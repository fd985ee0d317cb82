/* kinesis_files.h: the files of a world's records for Kinesis, one line per record:
 * FOLDER/STREAM.jsonl.
 *
 * Lines are appended, also to files of an earlier server. When the world begins anew, or is made,
 * its files lose all older lines. No other file is ever touched. */
#pragma once

#include "base/arena.h"

struct kinesis_files;

/* Files of the first world, whose name is empty, are in `out`; other worlds have a folder of their
 * name in it. */
struct kinesis_files *kinesis_files_new(const char *out, struct span world);
void kinesis_files_free(struct kinesis_files *f); /* f may be NULL */

/* The path of a stream's file, in the arena. */
const char *kinesis_files_path(const struct kinesis_files *f, struct arena *a, struct span stream);

/* Appends lines to a stream's file, all or nothing, and makes a missing folder. On failure returns
 * false and sets errno. */
bool kinesis_files_append(struct kinesis_files *f, struct arena *a, struct span stream,
                          struct span lines);

/* The world has begun anew: empties the files written by this server now, and files of an earlier
 * server before their next lines. */
void kinesis_files_begin_anew(struct kinesis_files *f); /* f may be NULL */
