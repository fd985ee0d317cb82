#include "http/http_upload.h"

#include "base/digest.h"
#include "base/file.h"
#include "base/file_release.h"
#include "http/http_admin.h"
#include "http/http_reply.h"

#include <stdlib.h>
#include <unistd.h>

struct upload {
    struct http_handler *handler;
    struct arena *arena; /* for the path */
    const char *path;
    int fd;
    size_t len;
    struct digest *sum; /* for the signature; NULL: no signature is needed */
};

static void end_upload(struct upload *u)
{
    (void)close(u->fd);
    (void)file_release_unlink(u->path);
    if (u->sum)
        digest_end(u->sum, NULL);
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
    if (u->sum)
        digest_add(u->sum, part);
    return true;
}

static void refuse_upload(struct http_exchange *x, int status, const char *message)
{
    struct upload *u = x->state;

    http_reply_message(u->handler, x, status, message);
    x->on_body = NULL;
}

static void on_body(struct http_exchange *x, struct span part, bool last)
{
    struct upload *u = x->state;

    if (u->len + part.len > HTTP_MAX_UPLOAD)
        refuse_upload(x, 413, "the file is too long");
    else if (!save(u, part))
        refuse_upload(x, 500, "the file cannot be saved");
    else if (last) {
        struct http_handler *h = u->handler;
        const struct http_admin_file file = {u->path, u->arena};
        unsigned char *sum;

        /* After that the exchange and the file belong to the verb. */
        if (u->sum) {
            x->request.body_sum = sum = arena_alloc(u->arena, SHA256_LEN);
            digest_end(u->sum, sum);
        }
        (void)close(u->fd);
        free(u);
        x->state = NULL;
        x->on_gone = NULL;
        x->on_body = NULL;
        http_admin_file_verb(h, x, file);
    }
}

void http_upload_begin(struct http_handler *h, struct http_exchange *x)
{
    struct upload *u = process_zeroed(sizeof *u);

    *u = (struct upload){.handler = h, .arena = arena_new()};
    u->fd = worlds_temporary_file(u->arena, h->worlds, &u->path);
    if (u->fd < 0) {
        http_reply_message(h, x, 500, "there is no room for the file");
        arena_free(u->arena);
        free(u);
        return;
    }
    if (h->options.keys)
        u->sum = digest_begin(DIGEST_SHA256);
    x->state = u;
    x->on_body = on_body;
    x->on_gone = on_gone;
}
