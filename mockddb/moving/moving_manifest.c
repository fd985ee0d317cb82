#include "moving/moving_manifest.h"

#include "base/file.h"
#include "base/one_more.h"
#include "ops/transfer/export_digest.h"
#include "wire/wire_body.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUMMARY "manifest-summary.json"
#define LISTED  "manifest-files.json"
#define PART    ((size_t)256 * 1024)

bool moving_manifest_is_one(const char *path)
{
    return strcmp(file_base(path), SUMMARY) == 0 || strcmp(file_base(path), LISTED) == 0;
}

/* --- contents --------------------------------------------------------------------------------- */

static const char *digest_of(struct arena *a, const char *path, unsigned char out[MD5_LEN])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct md5 *md5;
    char *room;
    ssize_t len;
    int cause;

    if (fd < 0)
        return file_error(a, path);
    md5 = md5_new();
    room = process_malloc(PART);
    while ((len = read(fd, room, PART)) > 0 || (len < 0 && errno == EINTR))
        if (len > 0)
            md5_add(md5, (struct span){room, (size_t)len});
    cause = errno;
    md5_end(md5, out);
    md5_free(md5);
    free(room);
    (void)close(fd);
    errno = cause;
    return len < 0 ? file_error(a, path) : NULL;
}

static const char *check_contents(struct arena *a, const wire_node *entry, const char *path)
{
    struct span checksum = wire_text(wire_get(entry, "md5Checksum"));
    struct span etag = wire_text(wire_get(entry, "etag"));
    unsigned char digest[MD5_LEN];
    const char *problem;
    bool same;

    /* an etag of a multi-part upload is not a digest of the contents */
    if (!checksum.len && (etag.len <= 2 || !span_is(span_from(etag, etag.len - 2), "-1")))
        return NULL;
    if ((problem = digest_of(a, path, digest)))
        return problem;
    same = checksum.len ? span_equal(export_digest_checksum(a, digest), checksum)
                        : span_equal(export_digest_etag(a, digest), etag);
    return same ? NULL
                : arena_printf(a, "%s: these are not the contents that " LISTED " has a digest of",
                               path);
}

/* --- the list --------------------------------------------------------------------------------- */

static bool is_file(const char *path)
{
    struct stat found;

    return stat(path, &found) == 0 && S_ISREG(found.st_mode);
}

static const char *add_file(struct arena *a, const char *folder, const wire_node *entry,
                            struct moving_manifest *out)
{
    const char *name = file_base(arena_text(a, wire_text(wire_get(entry, "dataFileS3Key"))));
    const char *path = arena_printf(a, "%s/data/%s", folder, name);

    if (!is_file(path)) { /* then it is in the folder that incremental exports share */
        path = arena_printf(a, "%s/../data/%s", folder, name);
        out->incremental |= is_file(path);
    }
    if (!is_file(path))
        return arena_printf(a, "%s/" LISTED " names data/%s, which does not exist", folder, name);
    out->files = one_more(a, out->files, out->count, sizeof *out->files);
    out->files[out->count++] = (struct moving_manifest_file){
        path, wire_integer(wire_get(entry, "itemCount"), MOVING_MANIFEST_UNCOUNTED)};
    return check_contents(a, entry, path);
}

static const char *read_list(struct arena *a, const char *folder, struct moving_manifest *out,
                             bool *found)
{
    const char *path = arena_printf(a, "%s/" LISTED, folder), *problem = NULL;
    struct span text;

    *found = file_read(a, path, &text);
    if (!*found)
        return errno == ENOENT ? NULL : file_error(a, path);
    while (text.len && !problem) {
        const char *end = span_find(text, '\n');
        struct span line = {text.at, end ? (size_t)(end - text.at) : text.len};
        const wire_node *entry;

        text = span_from(text, end ? line.len + 1 : line.len);
        if (!line.len)
            continue;
        problem = wire_parse(a, line, &entry) ? arena_printf(a, "%s: this is not JSON", path)
                                              : add_file(a, folder, entry, out);
    }
    return problem;
}

/* --- the summary ------------------------------------------------------------------------------ */

static const char *check_count(struct arena *a, const char *path, const wire_node *summary,
                               const struct moving_manifest *m)
{
    int64_t items = wire_integer(wire_get(summary, "itemCount"), MOVING_MANIFEST_UNCOUNTED);
    uint64_t listed = 0; /* the list may have any numbers, so the sum must not overflow */

    for (size_t i = 0; i < m->count; i++) {
        if (m->files[i].items == MOVING_MANIFEST_UNCOUNTED)
            return NULL;
        listed += (uint64_t)m->files[i].items;
    }
    if (items == MOVING_MANIFEST_UNCOUNTED || (uint64_t)items == listed)
        return NULL;
    return arena_printf(a, "%s counts %lld items, " LISTED " %lld", path, (long long)items,
                        (long long)listed);
}

const char *moving_manifest_read(struct arena *a, const char *folder, struct moving_manifest *out,
                                 bool *found)
{
    const char *path = arena_printf(a, "%s/" SUMMARY, folder), *problem;
    const wire_node *summary;
    struct span text, arn;
    const char *slash;

    *out = (struct moving_manifest){.files = NULL};
    if ((problem = read_list(a, folder, out, found)))
        return problem;
    if (!file_read(a, path, &text))
        return errno == ENOENT ? NULL : file_error(a, path);
    if (wire_parse(a, text, &summary))
        return arena_printf(a, "%s: this is not JSON", path);
    if (!*found)
        return arena_printf(a,
                            "%s/" LISTED ", which is to list the files, is not there; the folder "
                            "of the data can be imported by itself",
                            folder);
    arn = wire_text(wire_get(summary, "tableArn"));
    slash = span_find(arn, '/');
    out->table = slash ? span_from(arn, (size_t)(slash + 1 - arn.at)) : (struct span){"", 0};
    return check_count(a, path, summary, out);
}
