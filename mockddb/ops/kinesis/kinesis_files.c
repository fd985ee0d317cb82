#include "ops/kinesis/kinesis_files.h"

#include "base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

struct kinesis_files {
    char *folder;
    char **written; /* paths of files written since the world began */
    size_t count;
    bool anew; /* the contents of other files are older than the world */
};

struct kinesis_files *kinesis_files_new(const char *out, struct span world)
{
    struct kinesis_files *f = process_zeroed(sizeof *f);
    struct arena *a = arena_new();

    f->folder = process_text(
        span_of(world.len ? arena_printf(a, "%s/%.*s", out, SPAN_ARG(world)) : out));
    arena_free(a);
    return f;
}

static void forget_written(struct kinesis_files *f)
{
    for (size_t i = 0; i < f->count; i++)
        free(f->written[i]);
    f->count = 0;
}

void kinesis_files_free(struct kinesis_files *f)
{
    if (!f)
        return;
    forget_written(f);
    free(f->written);
    free(f->folder);
    free(f);
}

const char *kinesis_files_path(const struct kinesis_files *f, struct arena *a, struct span stream)
{
    return arena_printf(a, "%s/%.*s.jsonl", f->folder, SPAN_ARG(stream));
}

static bool was_written(const struct kinesis_files *f, const char *path)
{
    for (size_t i = 0; i < f->count; i++)
        if (strcmp(f->written[i], path) == 0)
            return true;
    return false;
}

bool kinesis_files_append(struct kinesis_files *f, struct arena *a, struct span stream,
                          struct span lines)
{
    const char *path = kinesis_files_path(f, a, stream);
    const bool first = !was_written(f, path);

    if (!file_make_folder(a, f->folder) ||
        (first && f->anew && truncate(path, 0) && errno != ENOENT) ||
        !file_append_lines(path, lines))
        return false;
    if (first) {
        f->written = process_realloc(f->written, (f->count + 1) * sizeof *f->written);
        f->written[f->count++] = process_text(span_of(path));
    }
    return true;
}

void kinesis_files_begin_anew(struct kinesis_files *f)
{
    if (!f)
        return;
    for (size_t i = 0; i < f->count; i++)
        (void)!truncate(f->written[i], 0); /* else before the next lines */
    forget_written(f);
    f->anew = true;
}
