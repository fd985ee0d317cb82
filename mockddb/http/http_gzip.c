#include "http/http_gzip.h"

#include <stdlib.h>
#include <strings.h>
#include <zlib.h>

#include "base/arena.h"

#define WINDOW_BITS (15 + 16) /* + 16: a gzip header and trailer */
#define MEMORY      8

/* The stream is set up once: that costs more than a small reply. */
struct http_gzip {
    z_stream stream;
    unsigned char *out;
    size_t capacity;
};

struct http_gzip *http_gzip_new(void)
{
    struct http_gzip *z = calloc(1, sizeof *z);

    if (!z || deflateInit2(&z->stream, Z_BEST_SPEED, Z_DEFLATED, WINDOW_BITS, MEMORY,
                           Z_DEFAULT_STRATEGY) != Z_OK)
        out_of_memory();
    return z;
}

void http_gzip_free(struct http_gzip *z)
{
    if (!z)
        return;
    deflateEnd(&z->stream);
    free(z->out);
    free(z);
}

/* "q=0", "q=0.000" and the like, after a name and its semicolon. */
static bool is_refused(const char *parameters, size_t len)
{
    const char *q = memchr(parameters, '=', len);

    if (!q)
        return false;
    len -= (size_t)(q + 1 - parameters);
    return strspn(q + 1, "0. \t") >= len;
}

bool http_gzip_accepted(const char *accept_encoding)
{
    static const char blanks[] = " \t";
    const char *at = accept_encoding ? accept_encoding : "";

    while (*at) {
        size_t len, name;

        at += strspn(at, " \t,");
        len = strcspn(at, ",");
        name = strcspn(at, " \t,;");
        if (name == 4 && strncasecmp(at, "gzip", 4) == 0) {
            name += strspn(at + name, blanks);
            return name >= len || !is_refused(at + name, len - name);
        }
        at += len;
    }
    return false;
}

struct span http_gzip(struct http_gzip *z, struct span bytes)
{
    size_t bound = deflateBound(&z->stream, (uLong)bytes.len);

    if (bound > z->capacity) {
        free(z->out);
        if (!(z->out = malloc(bound)))
            out_of_memory();
        z->capacity = bound;
    }
    deflateReset(&z->stream);
    z->stream.next_in = (z_const Bytef *)(uintptr_t)bytes.at;
    z->stream.avail_in = (uInt)bytes.len;
    z->stream.next_out = z->out;
    z->stream.avail_out = (uInt)z->capacity;
    deflate(&z->stream, Z_FINISH);
    return (struct span){(const char *)z->out, z->capacity - z->stream.avail_out};
}
