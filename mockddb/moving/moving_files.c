#include "moving/moving_files.h"

#include "base/file.h"
#include "base/interrupt.h"
#include "base/one_more.h"
#include "base/utf8.h"
#include "fixtures/fixtures.h"
#include "moving/moving_feed.h"
#include "moving/moving_manifest.h"
#include "moving/moving_text.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define PART  ((size_t)1 << 20)
#define PIECE ((size_t)256 * 1024)

static struct moving_file *add_file(struct arena *a, struct moving_files *files, const char *path,
                                    struct span table)
{
    struct stat found;

    files->at = one_more(a, files->at, files->count, sizeof *files->at);
    files->at[files->count] = (struct moving_file){
        .path = path,
        .table = table,
        .items = MOVING_MANIFEST_UNCOUNTED,
        .size = stat(path, &found) == 0 && S_ISREG(found.st_mode) ? (uint64_t)found.st_size : 0};
    return &files->at[files->count++];
}

/* --- fixtures --------------------------------------------------------------------------------- */

static const char *add_fixture(struct arena *a, const char *folder, struct moving_files *out)
{
    struct fixture_files tables, items;
    const char *problem;

    if ((problem = fixtures_list_tables(a, folder, folder, &tables)) ||
        (problem = fixtures_list_items(a, folder, folder, &items)))
        return problem;
    for (size_t i = 0; i < tables.count; i++) {
        struct moving_file *f = add_file(a, out, tables.at[i].path, span_of(tables.at[i].name));

        f->first = f->schema = true;
    }
    for (size_t i = 0; i < items.count; i++)
        add_file(a, out, items.at[i].path, span_of(items.at[i].name));
    return NULL;
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
        if (strchr("._", *entry->d_name) ||
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
    struct moving_manifest m;
    const char *problem = moving_manifest_read(a, folder, &m, found);

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
    if ((fixture = fixtures_find(a, path)))
        return add_fixture(a, fixture, out);
    if (stat(path, &found))
        return file_error(a, path);
    if (moving_manifest_is_one(path)) { /* it means its export */
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
    return text.kind == MOVING_TEXT_TABLE;
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

    if (f->items == MOVING_MANIFEST_UNCOUNTED || records == MOVING_IMPORT_LEFT_OUT ||
        records == f->items)
        return NULL;
    return arena_printf(r->arena, "%s: the manifest counts %lld items, the file has %lld", f->path,
                        (long long)f->items, (long long)records);
}

static const char *import_from(struct files_reading *r, const struct moving_file *f, int fd)
{
    struct moving_feed feed = {.import = r->import,
                               .arena = r->arena,
                               .file = f->path,
                               .table = f->table,
                               .fd = fd,
                               .part = PART,
                               .piece = PIECE};
    const char *problem = NULL, *late;

    progress_part(r->progress, span_of(file_base(f->path)), (size_t)f->size);
    moving_feed_begin(&feed);
    if (f->schema)
        moving_import_want_schema(r->import);
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
        return file_error(r->arena, f->path);
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
