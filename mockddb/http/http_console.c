#include "http/http_console.h"

#include "base/digest.h"
#include "base/packed.h"
#include "base/process.h"
#include "http/http_reply.h"

#define CONSOLE_PATH "/_mockddb/"
#define FILES_PATH   CONSOLE_PATH "console/"
#define TAG_BYTES    16
#define MOST_BYTES   ((size_t)16 * 1024 * 1024) /* of a file; none is near it */

/* Scripts and styles come only from this server; scripts inside a page cannot run. */
static const char policy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

static const struct http_console_file *find_file(struct span path)
{
    struct span name = SPAN_LIT("index.html");
    const struct http_console_file *file = http_console_files;

    if (path.len > sizeof FILES_PATH - 1)
        name = span_from(path, sizeof FILES_PATH - 1);
    while (file->path && !span_is(name, file->path))
        file++;
    return file->path ? file : NULL;
}

static struct span unpack(struct arena *a, struct span packed)
{
    struct buf out = buf_in(a);

    process_need(!packed_unpack(PACKED_GZIP, packed, MOST_BYTES, &out));
    return buf_span(&out);
}

/* The tag is the same for a file and for its compressed form, and is therefore weak. */
static const char *tag_of(struct arena *a, struct span bytes)
{
    unsigned char hash[SHA256_LEN];
    struct buf tag = buf_in(a);

    digest_sha256(bytes, hash);
    buf_add_text(&tag, "W/\"");
    buf_add_hex(&tag, hash, TAG_BYTES);
    buf_add_text(&tag, "\"");
    return buf_text(&tag);
}

/* Whether If-None-Match lists the tag, in its weak or strong form. */
static bool has_tag(const char *list, const char *tag)
{
    return list && (strcmp(list, "*") == 0 || strstr(list, tag + strlen("W/")));
}

void http_console_page(struct http_handler *h, struct http_exchange *x)
{
    const struct http_console_file *file = find_file(http_route_path(x->request.uri));
    struct span packed;
    const char *tag;
    bool gzip, is_known;

    if (!file) {
        http_reply_message(h, x, 404, "this page does not exist");
        return;
    }
    arena_reset(h->arena);
    packed = (struct span){(const char *)file->packed, file->len};
    tag = tag_of(h->arena, packed);
    is_known = has_tag(x->request.fields.if_none_match, tag);
    gzip = !is_known && http_gzip_accepted(x->request.fields.accept_encoding);
    if (is_known)
        http_reply_body(h, x, 304, NULL, SPAN_LIT(""));
    else
        http_reply_body(h, x, 200, file->type, gzip ? packed : unpack(h->arena, packed));
    http_reply_header(&x->reply, "ETag", tag);
    if (gzip)
        http_reply_header(&x->reply, "Content-Encoding", "gzip");
    http_reply_header(&x->reply, "Vary", "Accept-Encoding");
    http_reply_header(&x->reply, "Cache-Control", "no-cache");
    http_reply_header(&x->reply, "Content-Security-Policy", policy);
    http_reply_header(&x->reply, "X-Content-Type-Options", "nosniff");
    http_reply_header(&x->reply, "Referrer-Policy", "no-referrer");
}

void http_console_redirect(struct http_handler *h, struct http_exchange *x)
{
    http_reply_body(h, x, 308, NULL, SPAN_LIT(""));
    http_reply_header(&x->reply, "Location", CONSOLE_PATH);
}
