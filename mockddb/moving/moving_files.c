#include "moving/moving_files.h"

#include "base/file.h"
#include "base/gunzip.h"
#include "fixtures/fixtures.h"
#include "moving/moving_text.h"
#include "wire/wire_body.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define PART     ((size_t)1 << 20)
#define MANIFEST "manifest-summary.json"
#define LISTED   "manifest-files.json"

static const char *failed(struct arena *a, const char *path)
{
    return arena_printf(a, "%s: %s", path, strerror(errno));
}

static struct moving_file *add(struct arena *a, struct moving_files *files, const char *path,
                               struct span table)
{
    size_t size = files->count * sizeof *files->at;
    struct stat found;

    files->at = arena_grow(a, files->at, size, size + sizeof *files->at);
    files->at[files->count] = (struct moving_file){
        .path = path,
        .table = table,
        .size = stat(path, &found) == 0 && S_ISREG(found.st_mode) ? (uint64_t)found.st_size : 0};
    return &files->at[files->count++];
}

/* --- names ------------------------------------------------------------------------------------ */

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* The table of an export's files, from the manifest beside their folder; else empty. */
static const char *read_manifest(struct arena *a, const char *path, struct span *table)
{
    const wire_node *manifest;
    const char *slash;
    struct span text, arn;

    if (!file_read(a, path, &text))
        return errno == ENOENT ? NULL : failed(a, path);
    if (wire_parse(a, text, &manifest))
        return arena_printf(a, "%s: this is no JSON", path);
    arn = wire_text(wire_get(manifest, "tableArn"));
    slash = arn.len ? memchr(arn.at, '/', arn.len) : NULL;
    if (slash)
        *table = span_from(arn, (size_t)(slash + 1 - arn.at));
    return NULL;
}

/* A line of the list of an export's files. */
static const char *check_listed(struct arena *a, const char *folder, struct span line)
{
    const wire_node *file;
    const char *name;

    if (wire_parse(a, line, &file))
        return arena_printf(a, "%s/" LISTED ": this is no JSON", folder);
    name = base_of(arena_text(a, wire_text(wire_get(file, "dataFileS3Key"))));
    if (access(arena_printf(a, "%s/data/%s", folder, name), F_OK) == 0)
        return NULL;
    return arena_printf(a, "%s/" LISTED " names data/%s, which is not there", folder, name);
}

/* Half an export is none: whoever wants what there is names the folder of the data itself. */
static const char *check_all_listed(struct arena *a, const char *folder)
{
    const char *path = arena_printf(a, "%s/" LISTED, folder), *problem = NULL;
    struct span text;

    if (!file_read(a, path, &text))
        return errno == ENOENT ? NULL : failed(a, path);
    while (text.len && !problem) {
        const char *end = memchr(text.at, '\n', text.len);
        struct span line = {text.at, end ? (size_t)(end - text.at) : text.len};

        if (line.len)
            problem = check_listed(a, folder, line);
        text = span_from(text, end ? line.len + 1 : line.len);
    }
    return problem;
}

/* --- fixtures --------------------------------------------------------------------------------- */

static const char *add_fixture(struct arena *a, const char *folder, struct moving_files *out)
{
    static const char *const endings[] = {".jsonl", ".json", ".jsonl.gz", ".json.gz", NULL};
    struct fixture_files tables, items;
    const char *problem;

    if ((problem = fixtures_list_tables(a, folder, &tables)) ||
        (problem = fixtures_files_list(a, arena_printf(a, "%s/items", folder), endings, &items)))
        return problem;
    for (size_t i = 0; i < tables.count; i++)
        add(a, out, tables.at[i].path, span_of(tables.at[i].name))->first = true;
    for (size_t i = 0; i < items.count; i++)
        add(a, out, items.at[i].path, span_of(items.at[i].name));
    return NULL;
}

/* --- folders ---------------------------------------------------------------------------------- */

static bool is_data(const char *name)
{
    static const struct span manifest = SPAN_LIT_INIT("manifest-");
    struct span text = span_of(name);

    return *name != '.' && *name != '_' && !span_starts_with(text, manifest);
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The paths of all that is in a folder, in byte order. */
static const char *list(struct arena *a, const char *folder, const char ***out, size_t *count)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;

    *out = NULL;
    *count = 0;
    if (!dir)
        return failed(a, folder);
    while ((entry = readdir(dir))) {
        size_t size = *count * sizeof **out;

        if (!is_data(entry->d_name))
            continue;
        *out = arena_grow(a, *out, size, size + sizeof **out);
        (*out)[(*count)++] = arena_printf(a, "%s/%s", folder, entry->d_name);
    }
    closedir(dir);
    if (*count)
        qsort(*out, *count, sizeof **out, compare);
    return NULL;
}

/* `of_export` is the table of the export that the folder belongs to, or empty. */
static const char *add_folder(struct arena *a, const char *folder, struct span of_export,
                              struct moving_files *out)
{
    const char **paths, *problem;
    size_t count;

    if ((problem = read_manifest(a, arena_printf(a, "%s/" MANIFEST, folder), &of_export)) ||
        (problem = check_all_listed(a, folder)) || (problem = list(a, folder, &paths, &count)))
        return problem;
    for (size_t i = 0; i < count && !problem; i++) {
        struct stat found;

        if (lstat(paths[i], &found))
            return failed(a, paths[i]);
        if (S_ISDIR(found.st_mode))
            problem = add_folder(a, paths[i], of_export, out);
        else if (S_ISREG(found.st_mode))
            add(a, out, paths[i], of_export.len ? of_export : moving_import_table_of(paths[i]));
    }
    return problem;
}

const char *moving_files_find(struct arena *a, const char *path, struct moving_files *out)
{
    const char *fixture;
    struct stat found;

    if (strcmp(path, "-") == 0) {
        add(a, out, path, (struct span){"", 0});
        return NULL;
    }
    if ((fixture = fixtures_find(a, path)))
        return add_fixture(a, fixture, out);
    if (stat(path, &found))
        return failed(a, path);
    if (S_ISDIR(found.st_mode))
        return add_folder(a, path, (struct span){"", 0}, out);
    add(a, out, path, moving_import_table_of(path));
    return NULL;
}

/* --- importing -------------------------------------------------------------------------------- */

/* Whether the file describes a table, as far as its first bytes say. */
static bool describes_table(const struct moving_file *f)
{
    char head[16384];
    struct moving_text text;
    int fd = strcmp(f->path, "-") != 0 ? open(f->path, O_RDONLY | O_CLOEXEC) : -1;
    ssize_t len = fd < 0 ? -1 : read(fd, head, sizeof head);

    if (fd >= 0)
        (void)close(fd);
    if (len <= 0)
        return false;
    text = moving_text_know((struct span){head, (size_t)len}, (size_t)len < sizeof head);
    return text.kind == MOVING_TEXT_TABLE;
}

struct reading {
    struct arena *arena;
    struct moving_import *import;
    const struct moving_report *report;
    struct progress *progress;
    char *room;
};

static const char *import_from(struct reading *r, const struct moving_file *f, int fd)
{
    const char *problem = NULL, *late;
    uint64_t done = 0;

    progress_part(r->progress, span_of(base_of(f->path)), (size_t)f->size);
    moving_import_begin(r->import, f->path, f->table);
    while (!problem) {
        ssize_t len = read(fd, r->room, PART);

        if (len < 0 && errno == EINTR)
            continue;
        if (len < 0)
            problem = failed(r->arena, f->path);
        if (len <= 0)
            break;
        problem = moving_import_feed(r->import, (struct span){r->room, (size_t)len});
        done += (uint64_t)len;
        progress_items(r->progress, (size_t)done, r->report->items);
    }
    late = moving_import_end(r->import); /* what was read is written, whatever came then */
    return problem ? problem : late;
}

static const char *import_file(struct reading *r, const struct moving_file *f)
{
    const char *problem;
    int fd;

    if (strcmp(f->path, "-") == 0)
        return import_from(r, f, STDIN_FILENO);
    if ((fd = open(f->path, O_RDONLY | O_CLOEXEC)) < 0)
        return failed(r->arena, f->path);
    problem = import_from(r, f, fd);
    (void)close(fd);
    return problem;
}

const char *moving_files_import(struct arena *a, struct moving_files *files,
                                struct moving_import *import, const struct moving_report *report,
                                struct progress *progress)
{
    struct reading r = {a, import, report, progress, process_malloc(PART)};
    const char *problem = NULL;

    for (size_t i = 0; i < files->count; i++)
        files->at[i].first = files->at[i].first || describes_table(&files->at[i]);
    for (int first = 1; first >= 0; first--)
        for (size_t i = 0; i < files->count && !problem; i++)
            if (files->at[i].first == (first == 1))
                problem = import_file(&r, &files->at[i]);
    progress_end(progress);
    free(r.room);
    return problem;
}
