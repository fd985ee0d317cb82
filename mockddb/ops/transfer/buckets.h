/* buckets.h: S3 buckets, which are folders in one folder of this machine (--s3-root).
 *
 * An object's key is a path in its bucket's folder. What is being written lies beside the buckets,
 * where nobody looks for objects, until it is whole. The same for all worlds of a server. */
#ifndef OPS_BUCKETS_H
#define OPS_BUCKETS_H

#include "base/folder.h"
#include "ops/op.h"

struct buckets;

/* The buckets are the folders in that of the path, which is made when they are needed first; NULL:
 * a temporary one, whose name is logged then. */
struct buckets *buckets_new(const char *path);
void buckets_free(struct buckets *b); /* b may be NULL; a temporary folder goes if it is empty */

/* The folder that holds them; NULL where there is none to be had, which was logged, or b is NULL.
 */
const struct folder *buckets_folder(struct buckets *b);

/* Why nothing can be read or written: S3's words, as FailureCode and FailureMessage. */
struct bucket_failure {
    const char *code; /* NULL: all is well */
    const char *message;
};

/* Whether there is a bucket of that name. */
struct bucket_failure buckets_check(struct call *c, struct span bucket);

/* What the system's error stands for, where something in the bucket could not be done. */
struct bucket_failure buckets_failure(struct call *c, struct span bucket, int cause);

/* The path of an object; of what is on its way to being one, under a name that nothing else has in
 * its world: a copy of a world goes on with what was under way, too. */
struct span buckets_path(struct call *c, struct span bucket, struct span key);
struct span buckets_aside(struct call *c, struct span name);

#endif
