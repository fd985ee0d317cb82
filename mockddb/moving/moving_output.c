#include "moving/moving_output.h"

#include "base/file.h"
#include "base/packed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

struct moving_output {
    struct arena *arena;   /* of what is said */
    struct arena *scratch; /* of packed bytes */
    const char *path, *aside;
    struct packed_writer *packed; /* NULL: as it is */
    int fd;                       /* -1: closed */
};

static const char *failed(const struct moving_output *o)
{
    return arena_printf(o->arena, "%s: %s", o->path, strerror(errno));
}

struct moving_output *moving_output_open(struct arena *a, const char *path, const char **problem)
{
    struct moving_output *o = arena_alloc(a, sizeof *o);
    enum packed_form form = packed_form_of_name(span_of(path));

    o->arena = a;
    o->path = path;
    o->fd = STDOUT_FILENO;
    if (strcmp(path, "-") != 0) {
        o->aside = arena_printf(a, "%s.part", path);
        o->fd = open(o->aside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    }
    *problem = o->fd < 0 ? failed(o) : NULL;
    if (*problem)
        return NULL;
    o->scratch = arena_new();
    o->packed = form == PACKED_NOT ? NULL : packed_writer_new(form);
    return o;
}

static bool close_file(struct moving_output *o)
{
    int fd = o->fd;

    o->fd = -1;
    return !o->aside || fd < 0 || close(fd) == 0;
}

void moving_output_free(struct moving_output *o)
{
    if (!o)
        return;
    if (o->aside && o->fd >= 0) {
        (void)close_file(o);
        (void)unlink(o->aside);
    }
    packed_writer_free(o->packed);
    arena_free(o->scratch);
}

const char *moving_output_add(struct moving_output *o, struct span bytes)
{
    struct buf packed = buf_in(o->scratch);
    bool done;

    if (o->packed && bytes.len) {
        packed_add(o->packed, &packed, bytes);
        bytes = buf_span(&packed);
    }
    done = file_write(o->fd, bytes);
    arena_reset(o->scratch);
    return done ? NULL : failed(o);
}

const char *moving_output_end(struct moving_output *o)
{
    if (!close_file(o) || (o->aside && rename(o->aside, o->path)))
        return failed(o);
    return NULL;
}
