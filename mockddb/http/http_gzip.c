#include "http/http_gzip.h"

#include "base/process.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <strings.h>

#define FASTEST 1

/* The compressor is large and most clients never ask for it, so it is made on first use. */
struct http_gzip {
    struct libdeflate_compressor *compressor;
    unsigned char *out;
    size_t capacity;
};

struct http_gzip *http_gzip_new(void)
{
    struct http_gzip *z = process_zeroed(sizeof *z);

    return z;
}

void http_gzip_free(struct http_gzip *z)
{
    if (!z)
        return;
    libdeflate_free_compressor(z->compressor);
    free(z->out);
    free(z);
}

void http_gzip_trim(struct http_gzip *z)
{
    free(z->out);
    z->out = NULL;
    z->capacity = 0;
}

/* Whether "q=0", "q=0.000" or the like follows a name and its semicolon. */
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

static void make_room(struct http_gzip *z, size_t len)
{
    size_t bound;

    if (!z->compressor)
        z->compressor = process_have(libdeflate_alloc_compressor(FASTEST));
    bound = libdeflate_gzip_compress_bound(z->compressor, len);
    if (bound <= z->capacity)
        return;
    free(z->out);
    z->out = process_malloc(bound);
    z->capacity = bound;
}

struct span http_gzip(struct http_gzip *z, struct span bytes)
{
    make_room(z, bytes.len);
    return (struct span){
        (const char *)z->out,
        libdeflate_gzip_compress(z->compressor, bytes.at, bytes.len, z->out, z->capacity),
    };
}
