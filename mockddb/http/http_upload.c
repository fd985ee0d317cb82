#include "http/http_upload.h"

#include "base/file.h"
#include "base/file_release.h"
#include "http/http_reply.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct upload {
    struct http_handler *handler;
    struct arena *arena; /* for the path */
    const char *path;
    int fd;
    size_t len;
};

static void end_upload(struct upload *u)
{
    (void)close(u->fd);
    (void)file_release_unlink(u->path);
    arena_free(u->arena);
    free(u);
}

static void on_gone(struct http_exchange *x)
{
    end_upload(x->state);
}

static bool save(struct upload *u, struct span part)
{
    if (!file_write(u->fd, part))
        return false;
    u->len += part.len;
    return true;
}

static void refuse_upload(struct http_exchange *x, int status, const char *message)
{
    struct upload *u = x->state;

    http_reply_message(u->handler, x, status, message);
    x->on_body = NULL;
}

/* Verifies the signature of the whole body. After that the exchange belongs to the verb, which may
 * hold its reply; the file exists until the verb returns. */
static void finish_upload(struct http_exchange *x)
{
    struct upload *u = x->state;
    void *all = u->len ? mmap(NULL, u->len, PROT_READ, MAP_PRIVATE, u->fd, 0) : NULL;

    if (all == MAP_FAILED) {
        refuse_upload(x, 500, "the file cannot be read");
        return;
    }
    x->state = NULL;
    x->on_gone = NULL;
    x->on_body = NULL;
    x->request.body = (struct span){u->len ? all : "", u->len};
    http_admin_file_verb(u->handler, x, u->path);
    x->request.body = (struct span){"", 0};
    if (all)
        (void)munmap(all, u->len);
    end_upload(u);
}

static void on_body(struct http_exchange *x, struct span part, bool last)
{
    struct upload *u = x->state;

    if (u->len + part.len > HTTP_MAX_UPLOAD)
        refuse_upload(x, 413, "the file is too long");
    else if (!save(u, part))
        refuse_upload(x, 500, "the file cannot be saved");
    else if (last)
        finish_upload(x);
}

void http_upload_begin(struct http_handler *h, struct http_exchange *x)
{
    struct upload *u = calloc(1, sizeof *u);

    if (!u)
        process_out_of_memory();
    *u = (struct upload){.handler = h, .arena = arena_new()};
    u->fd = worlds_temporary_file(u->arena, h->worlds, &u->path);
    if (u->fd < 0) {
        http_reply_message(h, x, 500, "there is no room for the file");
        arena_free(u->arena);
        free(u);
        return;
    }
    x->state = u;
    x->on_body = on_body;
    x->on_gone = on_gone;
}
