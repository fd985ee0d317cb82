#include "moving/moving_files.h"

#include "base/ascii.h"
#include "base/cut.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/one_more.h"
#include "base/utf8.h"
#include "fixtures/fixtures.h"
#include "moving/moving_feed.h"
#include "ops/transfer/export_digest.h"
#include "wire/wire_body.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUMMARY "manifest-summary.json"
#define LISTED  "manifest-files.json"
#define PART    ((size_t)1 << 20)
#define PIECE   ((size_t)256 * 1024)

/* --- manifests of exports to S3: a table, and its files ------------------------------------------
 *
 *     01693685827463-2d8752fd/manifest-summary.json, manifest-files.json, data/NAME.json.gz
 *
 * The files of incremental exports are in the folder data beside the export's folder. Every listed
 * file must exist with its original contents, and the counts must agree: half an export is refused.
 * Source: developer guide, "DynamoDB table export output format". */

struct manifest_file {
    const char *path;
    int64_t items; /* number of items, or MOVING_FILES_UNCOUNTED */
};

struct manifest {
    struct span table; /* empty: the summary is missing, or does not name it */
    struct manifest_file *files;
    size_t count;
    bool incremental; /* its files are beside its folder */
};

/* Whether a file has the name of a manifest. */
static bool is_manifest(const char *path)
{
    return strcmp(file_base(path), SUMMARY) == 0 || strcmp(file_base(path), LISTED) == 0;
}

/* --- contents --------------------------------------------------------------------------------- */

static const char *digest_of(struct arena *a, const char *path, unsigned char out[MD5_LEN])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct digest *md5;
    char *room;
    ssize_t len;
    int cause;

    if (fd < 0)
        return file_error(a, path);
    md5 = digest_begin(DIGEST_MD5);
    room = process_malloc(PIECE);
    while ((len = read(fd, room, PIECE)) > 0 || (len < 0 && errno == EINTR))
        if (len > 0)
            digest_add(md5, (struct span){room, (size_t)len});
    cause = errno;
    digest_end(md5, out);
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

    /* Only the etag of an upload in one part, which ends in -1, is a digest of the contents. */
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

static const char *add_listed(struct arena *a, const char *folder, const wire_node *entry,
                              struct manifest *out)
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
    out->files[out->count++] = (struct manifest_file){
        path, wire_integer(wire_get(entry, "itemCount"), MOVING_FILES_UNCOUNTED)};
    return check_contents(a, entry, path);
}

static const char *read_listed(struct arena *a, const char *folder, struct manifest *out,
                               bool *found)
{
    const char *path = arena_printf(a, "%s/" LISTED, folder), *problem = NULL;
    struct span text;

    *found = file_read(a, path, &text);
    if (!*found)
        return errno == ENOENT ? NULL : file_error(a, path);
    while (text.len && !problem) {
        struct span line = cut_part(&text, '\n');
        const wire_node *entry;

        if (!line.len)
            continue;
        problem = wire_parse(a, line, &entry) ? arena_printf(a, "%s: this is not JSON", path)
                                              : add_listed(a, folder, entry, out);
    }
    return problem;
}

/* --- the summary ------------------------------------------------------------------------------ */

static const char *check_sum(struct arena *a, const char *path, const wire_node *summary,
                             const struct manifest *m)
{
    int64_t items = wire_integer(wire_get(summary, "itemCount"), MOVING_FILES_UNCOUNTED);
    uint64_t listed = 0; /* the list may have any numbers, so the sum must not overflow */

    for (size_t i = 0; i < m->count; i++) {
        if (m->files[i].items == MOVING_FILES_UNCOUNTED)
            return NULL;
        listed += (uint64_t)m->files[i].items;
    }
    if (items == MOVING_FILES_UNCOUNTED || (uint64_t)items == listed)
        return NULL;
    return arena_printf(a, "%s counts %lld items, " LISTED " %lld", path, (long long)items,
                        (long long)listed);
}

/* Reads the manifests in a folder. *found is false without manifests. Returns NULL, or what is
 * wrong. */
static const char *read_manifests(struct arena *a, const char *folder, struct manifest *out,
                                  bool *found)
{
    const char *path = arena_printf(a, "%s/" SUMMARY, folder), *problem;
    const wire_node *summary;
    struct span text, arn;

    *out = (struct manifest){.files = NULL};
    if ((problem = read_listed(a, folder, out, found)))
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
    (void)cut_part(&arn, '/');
    out->table = arn;
    return check_sum(a, path, summary, out);
}

/* --- files ------------------------------------------------------------------------------------ */

static struct moving_file *add_file(struct arena *a, struct moving_files *files, const char *path,
                                    struct span table)
{
    struct stat found;

    files->at = one_more(a, files->at, files->count, sizeof *files->at);
    files->at[files->count] = (struct moving_file){
        .path = path,
        .shown = path,
        .table = table,
        .expected = MOVING_TEXT_UNSURE,
        .items = MOVING_FILES_UNCOUNTED,
        .size = stat(path, &found) == 0 && S_ISREG(found.st_mode) ? (uint64_t)found.st_size : 0};
    return &files->at[files->count++];
}

/* --- fixtures --------------------------------------------------------------------------------- */

static void add_part(struct arena *a, const struct fixture_files *part, enum moving_text_kind kind,
                     struct moving_files *out)
{
    for (size_t i = 0; i < part->count; i++) {
        struct moving_file *f = add_file(a, out, part->at[i].path, span_of(part->at[i].name));

        f->shown = part->at[i].shown;
        f->expected = kind;
        f->first = kind == MOVING_TEXT_TABLE;
    }
}

/* --- folders ---------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Lists the paths of everything in a folder, in byte order. */
static const char *list_folder(struct arena *a, const char *folder, const char ***out,
                               size_t *count)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;

    *out = NULL;
    *count = 0;
    if (!dir)
        return file_error(a, folder);
    while ((entry = readdir(dir))) {
        if (ascii_is_one_of(*entry->d_name, "._") ||
            span_starts_with(span_of(entry->d_name), SPAN_LIT("manifest-")))
            continue;
        *out = one_more(a, *out, *count, sizeof **out);
        (*out)[(*count)++] = arena_printf(a, "%s/%s", folder, entry->d_name);
    }
    closedir(dir);
    if (*count)
        qsort(*out, *count, sizeof **out, compare);
    return NULL;
}

/* Adds the files of an export, as its manifests list them; *found is false if the folder has
 * none. */
static const char *add_export(struct arena *a, const char *folder, struct moving_files *out,
                              bool *found, bool *incremental)
{
    struct manifest m;
    const char *problem = read_manifests(a, folder, &m, found);

    for (size_t i = 0; !problem && i < m.count; i++)
        add_file(a, out, m.files[i].path, m.table)->items = m.files[i].items;
    *incremental = m.incremental;
    return problem;
}

static const char *add_folder(struct arena *a, const char *folder, struct moving_files *out,
                              bool *incremental);

/* Adds an entry of a folder that is not an export. Files of incremental exports are in the folder
 * `data`, which follows the exports themselves, so their manifests were read before. */
static const char *add_entry(struct arena *a, const char *path, struct moving_files *out,
                             bool *incremental)
{
    struct stat found;
    const char *problem = NULL;
    bool inside = false, is_link;

    if (lstat(path, &found) || ((is_link = S_ISLNK(found.st_mode)) && stat(path, &found)))
        return file_error(a, path);
    if (S_ISREG(found.st_mode))
        add_file(a, out, path, moving_import_table_of(path));
    else if (S_ISDIR(found.st_mode) && is_link)
        problem = arena_printf(a, "%s: a link to a folder is followed only if it is named itself",
                               path);
    else if (S_ISDIR(found.st_mode) && (!*incremental || strcmp(file_base(path), "data") != 0))
        problem = add_folder(a, path, out, &inside);
    *incremental |= inside;
    return problem;
}

/* Sets *incremental for an incremental export. */
static const char *add_folder(struct arena *a, const char *folder, struct moving_files *out,
                              bool *incremental)
{
    const char **paths, *problem;
    bool found, seen = false;
    size_t count;

    if ((problem = add_export(a, folder, out, &found, incremental)) || found ||
        (problem = list_folder(a, folder, &paths, &count)))
        return problem;
    for (size_t i = 0; i < count && !problem; i++)
        problem = add_entry(a, paths[i], out, &seen);
    return problem;
}

const char *moving_files_find(struct arena *a, const char *path, struct moving_files *out)
{
    const char *fixture, *problem;
    struct stat found;
    bool incremental;
    size_t before;

    if (strcmp(path, "-") == 0) {
        add_file(a, out, path, (struct span){"", 0});
        return NULL;
    }
    if ((fixture = fixtures_find(a, path))) {
        struct fixture_files tables, items;

        if ((problem = fixtures_list_tables(a, fixture, path, &tables)) ||
            (problem = fixtures_list_items(a, fixture, path, &items)))
            return problem;
        add_part(a, &tables, MOVING_TEXT_TABLE, out);
        add_part(a, &items, MOVING_TEXT_ITEMS, out);
        return NULL;
    }
    if (stat(path, &found))
        return file_error(a, path);
    if (is_manifest(path)) { /* it means its export */
        const char *base = file_base(path);

        path = base == path ? "." : arena_text(a, (struct span){path, (size_t)(base - path)});
    } else if (!S_ISDIR(found.st_mode)) {
        add_file(a, out, path, moving_import_table_of(path));
        return NULL;
    }
    before = out->count;
    if ((problem = add_folder(a, path, out, &incremental)) || out->count > before)
        return problem;
    return arena_printf(a, "%s: it contains nothing that can be imported", path);
}

/* --- importing -------------------------------------------------------------------------------- */

/* Whether the file describes a table, by its first bytes. A pipe could be read only once, so it
 * never does. */
static bool describes_table(const struct moving_file *f)
{
    char head[16384];
    struct moving_text text;
    int fd = f->size ? open(f->path, O_RDONLY | O_CLOEXEC) : -1;
    ssize_t len = fd < 0 ? -1 : read(fd, head, sizeof head);

    if (fd >= 0)
        (void)close(fd);
    if (len <= 0)
        return false;
    text = moving_text_know(utf8_skip_mark((struct span){head, (size_t)len}),
                            (size_t)len < sizeof head);
    return text.kind == MOVING_TEXT_TABLE || text.kind == MOVING_TEXT_TEMPLATE;
}

struct files_reading {
    struct arena *arena;
    struct moving_import *import;
    const struct moving_report *report;
    struct progress *progress;
};

/* Compares the number of records with the manifest's. */
static const char *check_count(struct files_reading *r, const struct moving_file *f)
{
    int64_t records = moving_import_records(r->import);

    if (f->items == MOVING_FILES_UNCOUNTED || records == MOVING_IMPORT_LEFT_OUT ||
        records == f->items)
        return NULL;
    return arena_printf(r->arena, "%s: the manifest counts %lld items, the file has %lld", f->shown,
                        (long long)f->items, (long long)records);
}

static const char *import_from(struct files_reading *r, const struct moving_file *f, int fd)
{
    struct moving_feed feed = {.import = r->import,
                               .arena = r->arena,
                               .file = f->shown,
                               .table = f->table,
                               .fd = fd,
                               .part = PART,
                               .piece = PIECE};
    const char *problem = NULL, *late;

    progress_part(r->progress, span_of(file_base(f->path)), (size_t)f->size);
    moving_feed_begin(&feed);
    moving_import_expect(r->import, f->expected);
    feed.done = moving_import_records(r->import) == MOVING_IMPORT_LEFT_OUT;
    while (!feed.done && !problem && !(problem = interrupt_check())) {
        problem = moving_feed_step(&feed);
        progress_items(r->progress, (size_t)feed.bytes, r->report->items);
    }
    late = moving_feed_end(&feed);
    problem = problem ? problem : late;
    return problem ? problem : check_count(r, f);
}

static const char *import_file(struct files_reading *r, const struct moving_file *f)
{
    const char *problem;
    int fd;

    if (strcmp(f->path, "-") == 0)
        return import_from(r, f, STDIN_FILENO);
    if ((fd = open(f->path, O_RDONLY | O_CLOEXEC)) < 0)
        return file_error(r->arena, f->shown);
    problem = import_from(r, f, fd);
    (void)close(fd);
    return problem;
}

const char *moving_files_import(struct arena *a, struct moving_files *files,
                                struct moving_import *import, const struct moving_report *report,
                                struct progress *progress)
{
    struct files_reading r = {a, import, report, progress};
    const char *problem = NULL;

    for (size_t i = 0; i < files->count; i++)
        files->at[i].first = files->at[i].first || describes_table(&files->at[i]);
    for (int first = 1; first >= 0; first--)
        for (size_t i = 0; i < files->count && !problem; i++)
            if (files->at[i].first == (first == 1))
                problem = import_file(&r, &files->at[i]);
    progress_end(progress);
    return problem;
}
