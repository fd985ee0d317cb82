#include "capture/capture_folder.h"

#include "base/file.h"
#include "base/sha256.h"
#include "wire/json.h"
#include "wire/wire_print.h"
#include "wire/wire_reply.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define STATE ".ddb-capture.json"

/* A file of items, and its length after the last page. */
struct growing {
    struct span table;
    int64_t size;
    struct growing *next;
};

struct capture_folder {
    struct arena *arena;
    const char *path;
    const char *plan; /* hash of the plan */
    struct growing *files;
};

static const char *inside(const struct capture_folder *f, struct arena *a, const char *name)
{
    return arena_printf(a, "%s/%s", f->path, name);
}

static const char *hash_of(struct arena *a, struct span plan)
{
    unsigned char hash[SHA256_LEN];
    struct buf out = buf_in(a);

    sha256_of(plan, hash);
    buf_add_hex(&out, hash, sizeof hash);
    return buf_text(&out);
}

/* --- files ------------------------------------------------------------------------------------ */

static const char *write_all(struct arena *a, int fd, const char *path, struct span text)
{
    const char *problem = file_write(fd, text) && fsync(fd) == 0 ? NULL : file_error(a, path);

    if (close(fd) && !problem)
        problem = file_error(a, path);
    return problem;
}

/* Writes a new file beside it and renames it, so that the file is never incomplete. Only the user
 * may read it. */
static const char *replace_file(struct arena *a, const char *path, struct span text)
{
    const char *beside = arena_printf(a, "%s.new", path), *problem;
    int fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    if (fd < 0)
        return file_error(a, beside);
    if ((problem = write_all(a, fd, beside, text)))
        return problem;
    return rename(beside, path) ? file_error(a, path) : NULL;
}

/* --- the state -------------------------------------------------------------------------------- */

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

static const char *write_state(struct capture_folder *f, struct arena *a,
                               const struct capture_place *place)
{
    struct buf out = buf_in(a);
    struct wire_writer w = {&out, false};

    wire_open(&w, '{');
    wire_put_member_word(&w, "plan", f->plan);
    wire_put_member_integer(&w, "job", (int64_t)place->job);
    wire_put_member_integer(&w, "done", (int64_t)place->done);
    wire_put_member_integer(&w, "missing", (int64_t)place->missing);
    wire_put_member_raw(&w, "units", span_of(arena_printf(a, "%.17g", place->units)));
    if (place->start.len)
        wire_put_member_raw(&w, "start", place->start);
    wire_open_member(&w, "sizes", '{');
    for (const struct growing *g = f->files; g; g = g->next) {
        wire_key_span(&w, g->table);
        wire_put_integer(&w, g->size);
    }
    wire_close(&w, '}');
    wire_close(&w, '}');
    return replace_file(a, inside(f, a, STATE), buf_span(&out));
}

static void resume_run(struct capture_folder *f, struct arena *a, const wire_node *state,
                       struct capture_place *place)
{
    struct buf start = buf_in(a);

    for (const wire_node *n = wire_first(wire_get(state, "sizes")); n; n = wire_next(n))
        file_of(f, wire_name(n))->size = wire_integer(n, 0);
    place->job = (size_t)wire_integer(wire_get(state, "job"), 0);
    place->done = (size_t)wire_integer(wire_get(state, "done"), 0);
    place->missing = (size_t)wire_integer(wire_get(state, "missing"), 0);
    place->units = wire_double(wire_get(state, "units"), 0);
    if (wire_get(state, "start")) {
        wire_print_json(&start, wire_get(state, "start"));
        place->start = buf_span(&start);
    }
}

static const char *make_folder(struct arena *a, const char *path)
{
    return mkdir(path, 0777) && errno != EEXIST ? file_error(a, path) : NULL;
}

/* Whether the folder has a part of a fixture, even a dangling link. */
static bool is_fixture(const struct capture_folder *f, struct arena *a)
{
    static const char *const names[] = {"tables", "items", "fixture.json"};
    struct stat found;
    size_t i = 0;

    while (i < COUNT(names) && lstat(inside(f, a, names[i]), &found))
        i++;
    return i < COUNT(names);
}

const char *capture_folder_open(struct arena *a, const char *path, struct span plan,
                                struct capture_folder **out, struct capture_place *place)
{
    struct capture_folder *f = arena_alloc(a, sizeof *f);
    const wire_node *state;
    const char *problem;
    struct span text;

    *f = (struct capture_folder){.arena = a, .path = path, .plan = hash_of(a, plan)};
    *place = (struct capture_place){.start = {"", 0}};
    *out = f;
    if (file_read(a, inside(f, a, STATE), &text)) {
        if (wire_parse(a, text, &state))
            return arena_printf(a, "%s is damaged", inside(f, a, STATE));
        if (!span_is(wire_text(wire_get(state, "plan")), f->plan))
            return arena_printf(a,
                                "%s contains an unfinished capture of something else: repeat that "
                                "command, or delete the folder",
                                path);
        resume_run(f, a, state, place);
    } else if (is_fixture(f, a)) {
        return arena_printf(a, "%s is a fixture already", path);
    } else if ((problem = make_folder(a, path)) || (problem = write_state(f, a, place))) {
        return problem;
    }
    if ((problem = make_folder(a, inside(f, a, "tables"))))
        return problem;
    return make_folder(a, inside(f, a, "items"));
}

bool capture_folder_has(const struct capture_folder *f, struct arena *a, const char *name)
{
    return access(inside(f, a, name), F_OK) == 0;
}

const char *capture_folder_write(struct capture_folder *f, struct arena *a, const char *name,
                                 struct span text)
{
    return replace_file(a, inside(f, a, name), text);
}

static const char *items_path(const struct capture_folder *f, struct arena *a, struct span table)
{
    return inside(f, a, arena_printf(a, "items/%.*s.jsonl", SPAN_ARG(table)));
}

FILE *capture_folder_items(const struct capture_folder *f, struct arena *a, struct span table)
{
    return fopen(items_path(f, a, table), "re");
}

const char *capture_folder_add(struct capture_folder *f, struct arena *a, struct span table,
                               struct span lines, const struct capture_place *place)
{
    struct growing *g = file_of(f, table);
    const char *path = items_path(f, a, table), *problem;
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

    if (fd < 0)
        return file_error(a, path);
    if (ftruncate(fd, g->size)) { /* cut off what an interrupted run wrote after its last page */
        (void)close(fd);
        return file_error(a, path);
    }
    if ((problem = write_all(a, fd, path, lines)))
        return problem;
    g->size += (int64_t)lines.len;
    return write_state(f, a, place);
}

const char *capture_folder_end(struct capture_folder *f, struct arena *a)
{
    const char *path = inside(f, a, STATE);

    return unlink(path) ? file_error(a, path) : NULL;
}
