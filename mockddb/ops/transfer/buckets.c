#include "ops/transfer/buckets.h"

#include "base/log.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define ASIDE ".unfinished" /* no bucket begins with a dot */

struct buckets {
    char *path; /* NULL: not yet known */
    bool temporary;
    struct folder *folder; /* NULL: not yet opened */
};

struct buckets *buckets_new(const char *path)
{
    struct buckets *b = process_zeroed(sizeof *b);

    if (path)
        b->path = process_text(span_of(path));
    b->temporary = !path;
    return b;
}

void buckets_free(struct buckets *b)
{
    if (!b)
        return;
    if (b->temporary && b->folder) {
        struct arena *a = arena_new();

        /* Removes the folder if it is empty. */
        (void)rmdir(arena_printf(a, "%s/" ASIDE, b->path));
        (void)rmdir(b->path);
        arena_free(a);
    }
    folder_free(b->folder);
    free(b->path);
    free(b);
}

static bool make_folder(struct buckets *b)
{
    if (!b->path) {
        const char *under = getenv("TMPDIR");
        struct arena *a = arena_new();
        char *path = arena_printf(a, "%s/mockddb-s3-XXXXXX", under && *under ? under : "/tmp");
        bool made = mkdtemp(path) != NULL;

        if (made)
            b->path = process_text(span_of(path));
        arena_free(a);
        return made;
    }
    return mkdir(b->path, 0777) == 0 || errno == EEXIST;
}

const struct folder *buckets_folder(struct buckets *b)
{
    if (!b || b->folder)
        return b ? b->folder : NULL;
    if (!make_folder(b) || !(b->folder = folder_open(b->path)))
        log_error("S3 buckets: %s: %s", b->path ? b->path : "a temporary folder", strerror(errno));
    else if (b->temporary)
        log_error("S3 buckets are folders in %s", b->path);
    return b->folder;
}

/* --- failures --------------------------------------------------------------------------------- */

/* S3's errors in the form of the AWS SDK for Java. */
static struct bucket_failure s3_failure(struct call *c, const char *code, int status,
                                        const char *name, const char *text)
{
    unsigned char random[8];
    struct buf id = buf_in(c->arena);

    clock_random(c->clock, random, sizeof random);
    for (size_t i = 0; i < sizeof random; i++)
        buf_printf(&id, "%02X", random[i]);
    return (struct bucket_failure){
        .code = code,
        .message = arena_printf(c->arena,
                                "%s (Service: Amazon S3; Status Code: %d; Error Code: %s; Request "
                                "ID: %s; S3 Extended Request ID: %s; Proxy: null)",
                                text, status, name, buf_text(&id), buf_text(&id)),
    };
}

static bool has_bucket(const struct folder *f, struct span bucket)
{
    return bucket.len && bucket.at[0] != '.' && !span_has(bucket, '/') && folder_has(f, bucket);
}

struct bucket_failure buckets_check(struct call *c, struct span bucket)
{
    const struct folder *f = buckets_folder(c->settings->buckets);

    if (!f)
        return s3_failure(c, "S3AccessDenied", 403, "AccessDenied", "Access Denied");
    if (!has_bucket(f, bucket))
        return s3_failure(c, "S3NoSuchBucket", 404, "NoSuchBucket",
                          "The specified bucket does not exist");
    return (struct bucket_failure){.code = NULL};
}

/* A path through a link, a file or a missing folder counts as denied. */
static bool is_denied(int cause)
{
    return cause == EACCES || cause == EPERM || cause == EROFS || cause == ELOOP ||
           cause == ENOENT || cause == ENOTDIR;
}

struct bucket_failure buckets_failure(struct call *c, struct span bucket, int cause)
{
    struct bucket_failure why = buckets_check(c, bucket);

    if (why.code)
        return why;
    if (is_denied(cause))
        return s3_failure(c, "S3AccessDenied", 403, "AccessDenied", "Access Denied");
    log_error("S3 buckets: %s", strerror(cause));
    return s3_failure(c, "UNKNOWN", 500, "InternalError",
                      "We encountered an internal error. Please try again.");
}

/* --- paths ------------------------------------------------------------------------------------ */

struct span buckets_path(struct call *c, struct span bucket, struct span key)
{
    return span_of(arena_printf(c->arena, "%.*s/%.*s", SPAN_ARG(bucket), SPAN_ARG(key)));
}

struct span buckets_aside(struct call *c, struct span name)
{
    struct span world = c->settings->world;

    return span_of(arena_printf(c->arena, ASIDE "/%.*s%s%.*s", SPAN_ARG(world),
                                world.len ? "~" : "", SPAN_ARG(name)));
}
