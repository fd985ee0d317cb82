#define _GNU_SOURCE /* realpath */
#include "moving/moving_output.h"

#include "base/file.h"
#include "base/packed.h"
#include "base/platform.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct moving_output {
    struct arena *arena;   /* for messages */
    struct arena *scratch; /* for packed bytes */
    const char *path;
    const char *aside,
        *target; /* the temporary file, and the name that it gets at the end; NULL if the output is
                    written in place because it is not a regular file */
    struct packed_writer *packed; /* NULL: not packed */
    int fd;                       /* -1: closed */
    bool is_private;
};

/* Devices and pipes are written to, not replaced; folders are refused. A file that is replaced
 * keeps its permissions. */
static int open_place(struct moving_output *o)
{
    mode_t kept = 0;
    struct stat found;
    char *real;
    int fd;

    if (strcmp(o->path, "-") == 0)
        return STDOUT_FILENO;
    if (stat(o->path, &found) == 0) {
        if (!S_ISREG(found.st_mode))
            return open(o->path, O_WRONLY | O_CLOEXEC);
        kept = o->is_private ? 0 : found.st_mode & 07777;
    }
    real = realpath(o->path, NULL); /* the file behind links */
    o->target = real ? arena_text(o->arena, span_of(real)) : o->path;
    free(real);
    o->aside = arena_printf(o->arena, "%s.part", o->target);
    fd = open(o->aside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, o->is_private ? 0600 : 0666);
    if (fd >= 0 && kept)
        (void)fchmod(fd, kept);
    return fd;
}

static struct moving_output *open_output(struct arena *a, const char *path, bool is_private,
                                         const char **problem)
{
    struct moving_output *o = arena_alloc(a, sizeof *o);
    enum packed_form form = packed_form_of_name(span_of(path));

    o->arena = a;
    o->path = path;
    o->is_private = is_private;
    o->fd = open_place(o);
    *problem = o->fd < 0 ? file_error(o->arena, o->path) : NULL;
    if (*problem)
        return NULL;
    o->scratch = arena_new();
    o->packed = form == PACKED_NOT ? NULL : packed_writer_new(form);
    return o;
}

struct moving_output *moving_output_open(struct arena *a, const char *path, const char **problem)
{
    return open_output(a, path, false, problem);
}

static bool close_file(struct moving_output *o)
{
    int fd = o->fd;

    o->fd = -1;
    return fd < 0 || fd == STDOUT_FILENO || close(fd) == 0;
}

void moving_output_free(struct moving_output *o)
{
    if (!o)
        return;
    (void)close_file(o);
    if (o->aside)
        (void)unlink(o->aside);
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
    return done ? NULL : file_error(o->arena, o->path);
}

const char *moving_output_end(struct moving_output *o)
{
    if ((o->is_private && !platform_sync(o->fd)) || !close_file(o) ||
        (o->aside && rename(o->aside, o->target)))
        return file_error(o->arena, o->path);
    o->aside = NULL;
    return NULL;
}

static const char *write_whole(struct arena *a, const char *path, bool is_private, struct span text)
{
    const char *problem;
    struct moving_output *o = open_output(a, path, is_private, &problem);

    if (o && !(problem = moving_output_add(o, text)))
        problem = moving_output_end(o);
    moving_output_free(o);
    return problem;
}

const char *moving_output_write(struct arena *a, const char *path, struct span text)
{
    return write_whole(a, path, false, text);
}

const char *moving_output_write_private(struct arena *a, const char *path, struct span text)
{
    return write_whole(a, path, true, text);
}

bool moving_output_hits(const char *path, const char *other)
{
    struct stat one, two;

    if (!path || !other || strcmp(path, "-") == 0)
        return false;
    if (stat(path, &one))
        return strcmp(path, other) == 0;
    return S_ISREG(one.st_mode) &&
           (strcmp(other, "-") == 0 ? fstat(STDIN_FILENO, &two) : stat(other, &two)) == 0 &&
           one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}
