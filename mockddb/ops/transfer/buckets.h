/* buckets.h: S3 buckets, which are folders in one folder of this machine (--s3-root).
 *
 * An object's key is a path in its bucket's folder. Unfinished files are kept beside the buckets,
 * so they do not show as objects. All worlds of a server share the buckets. */
#pragma once

#include "base/folder.h"
#include "ops/op.h"

struct buckets;

/* `path` is the folder of the buckets, made at its first use. NULL: a temporary folder, whose name
 * is then logged. */
struct buckets *buckets_new(const char *path);
void buckets_free(struct buckets *b); /* b may be NULL; removes an empty temporary folder */

/* Returns the folder of the buckets; NULL if b is NULL or the folder cannot be opened, which is
 * logged. */
const struct folder *buckets_folder(struct buckets *b);

/* Why a bucket cannot be used, in S3's words: FailureCode and FailureMessage. */
struct bucket_failure {
    const char *code; /* NULL: no failure */
    const char *message;
};

/* Checks that the bucket exists. */
struct bucket_failure buckets_check(struct call *c, struct span bucket);

/* The failure for a system error (errno) in the bucket. */
struct bucket_failure buckets_failure(struct call *c, struct span bucket, int cause);

/* The path of an object, and of an unfinished file. Names of unfinished files must be unique in
 * their world. They include the world, since a copy of a world continues its tasks. */
struct span buckets_path(struct call *c, struct span bucket, struct span key);
struct span buckets_aside(struct call *c, struct span name);
