#include "capture/capture_folder.h"

#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file of items, and its length after the last page. */
struct growing {
    struct span table;
    int64_t size;
    struct growing *next;
};

struct capture_folder {
    struct arena *arena;
    const char *path;
    struct growing *files;
};

struct capture_folder *capture_folder_new(struct arena *a, const char *path)
{
    struct capture_folder *f = arena_alloc(a, sizeof *f);

    *f = (struct capture_folder){.arena = a, .path = path};
    return f;
}

const char *capture_folder_path(const struct capture_folder *f, struct arena *a, const char *name)
{
    return arena_printf(a, "%s/%s", f->path, name);
}

bool capture_folder_is_fixture(const struct capture_folder *f, struct arena *a)
{
    static const char *const names[] = {"tables", "items", "fixture.json"};
    struct stat found;
    size_t i = 0;

    while (i < COUNT(names) && lstat(capture_folder_path(f, a, names[i]), &found))
        i++;
    return i < COUNT(names);
}

static struct growing *file_of(struct capture_folder *f, struct span table)
{
    struct growing *g = f->files;

    while (g && !span_equal(g->table, table))
        g = g->next;
    if (g)
        return g;
    g = arena_alloc(f->arena, sizeof *g);
    *g = (struct growing){.table = arena_span(f->arena, table), .next = f->files};
    return f->files = g;
}

void capture_folder_put_sizes(const struct capture_folder *f, struct wire_writer *w)
{
    wire_open_member(w, "sizes", '{');
    for (const struct growing *g = f->files; g; g = g->next) {
        wire_key_span(w, g->table);
        wire_put_integer(w, g->size);
    }
    wire_close(w, '}');
}

void capture_folder_take_sizes(struct capture_folder *f, const wire_node *state)
{
    for (const wire_node *n = wire_first(wire_get(state, "sizes")); n; n = wire_next(n))
        file_of(f, wire_name(n))->size = wire_integer(n, 0);
}

static const char *items_path(const struct capture_folder *f, struct arena *a, struct span table)
{
    return capture_folder_path(f, a, arena_printf(a, "items/%.*s.jsonl", SPAN_ARG(table)));
}

FILE *capture_folder_items(const struct capture_folder *f, struct arena *a, struct span table)
{
    return fopen(items_path(f, a, table), "re");
}

const char *capture_folder_add(struct capture_folder *f, struct arena *a, struct span table,
                               struct span lines)
{
    struct growing *g = file_of(f, table);
    const char *path = items_path(f, a, table), *problem = NULL;
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

    if (fd < 0)
        return file_error(a, path);
    /* cut off what an interrupted run wrote after its last page */
    if (ftruncate(fd, g->size) || !file_write(fd, lines) || fsync(fd))
        problem = file_error(a, path);
    if (close(fd) && !problem)
        problem = file_error(a, path);
    g->size += (int64_t)lines.len;
    return problem;
}
