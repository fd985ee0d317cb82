/* kinesis_files.h: the files of a world's records for Kinesis, a line each: FOLDER/STREAM.jsonl.
 *
 * Lines are appended, also to what an earlier server left, until the world begins anew: then it
 * leaves no line of before. Nothing but the world's own files is ever touched. */
#ifndef OPS_KINESIS_FILES_H
#define OPS_KINESIS_FILES_H

#include "base/arena.h"
#include "base/span.h"

struct kinesis_files;

/* The files of the world of that name in `out`: of the first one, which has an empty name, they lie
 * in it, of others in a folder of their name. */
struct kinesis_files *kinesis_files_new(const char *out, struct span world);
void kinesis_files_free(struct kinesis_files *f); /* f may be NULL */

/* The file of a stream, in the arena. */
const char *kinesis_files_path(const struct kinesis_files *f, struct arena *a, struct span stream);

/* Appends whole lines to a stream's file, all of them or none. The folder is made if it is missing.
 * False, with errno set, where that cannot be done. */
bool kinesis_files_append(struct kinesis_files *f, struct arena *a, struct span stream,
                          struct span lines);

/* The world has begun anew: files that were written are empty from here on, those of an earlier
 * server once something is written to them. */
void kinesis_files_begin_anew(struct kinesis_files *f); /* f may be NULL */

#endif
