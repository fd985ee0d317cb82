#include "base/packed.h"
#include "base/cut.h"

#include <libdeflate.h>
#include <stdlib.h>
#define ZLIB_CONST
#include <zlib.h>
#include <zstd.h>

/* What is packed is read soon and seldom kept: speed counts for more than size. */
#define GZIP_LEVEL 1
#define ZSTD_LEVEL 1

#define WINDOW_BITS 15        /* the largest window, … */
#define GZIP_BITS   (15 + 16) /* … and with gzip's header */
#define PART        ((size_t)64 * 1024)
#define STEP_MOST   ((size_t)1 << 30)

enum packed_form packed_form_of_name(struct span name)
{
    if (cut_ending(&name, ".gz"))
        return PACKED_GZIP;
    return cut_ending(&name, ".zst") ? PACKED_ZSTD : PACKED_NOT;
}

/* --- reading ---------------------------------------------------------------------------------- */

struct packed_reader {
    enum packed_form form;
    bool inside; /* a part has begun and not ended */
    z_stream zlib;
    ZSTD_DStream *zstd;
};

struct packed_reader *packed_reader_new(enum packed_form form)
{
    struct packed_reader *r = process_zeroed(sizeof *r);

    r->form = form;
    process_need((form != PACKED_GZIP || inflateInit2(&r->zlib, GZIP_BITS) == Z_OK) &&
                 (form != PACKED_ZLIB || inflateInit2(&r->zlib, WINDOW_BITS) == Z_OK));
    if (form == PACKED_ZSTD)
        r->zstd = process_have(ZSTD_createDStream());
    return r;
}

void packed_reader_free(struct packed_reader *r)
{
    if (!r)
        return;
    inflateEnd(&r->zlib);
    ZSTD_freeDStream(r->zstd);
    free(r);
}

static uInt at_most(size_t len)
{
    return (uInt)(len < STEP_MOST ? len : STEP_MOST);
}

static const char *read_zlib(struct packed_reader *r, struct span *packed, char *room, size_t size,
                             size_t *len)
{
    z_stream *z = &r->zlib;
    int result = Z_OK;

    *len = 0;
    if (!r->inside && !packed->len)
        return NULL;
    z->next_in = (const Bytef *)packed->at;
    z->avail_in = at_most(packed->len);
    z->next_out = (Bytef *)room;
    z->avail_out = at_most(size);
    result = inflate(z, Z_NO_FLUSH);
    r->inside = result != Z_STREAM_END;
    *packed = span_from(*packed, (size_t)((const char *)z->next_in - packed->at));
    *len = (size_t)((char *)z->next_out - room);
    process_need(result != Z_MEM_ERROR);
    if (result == Z_STREAM_END)
        result = inflateReset(z);
    if (result == Z_OK || result == Z_BUF_ERROR)
        return NULL;
    return r->form == PACKED_GZIP ? "this is not in gzip form, or damaged"
                                  : "this is not in zlib form, or damaged";
}

static const char *read_zstd(struct packed_reader *r, struct span *packed, char *room, size_t size,
                             size_t *len)
{
    ZSTD_inBuffer in = {packed->at, packed->len, 0};
    ZSTD_outBuffer out = {room, size, 0};
    size_t result;

    *len = 0;
    if (!r->inside && !packed->len)
        return NULL;
    result = ZSTD_decompressStream(r->zstd, &out, &in);
    if (ZSTD_isError(result))
        return "this is not in zstd form, or damaged";
    r->inside = result != 0;
    *packed = span_from(*packed, in.pos);
    *len = out.pos;
    return NULL;
}

const char *packed_read(struct packed_reader *r, struct span *packed, char *room, size_t size,
                        size_t *len)
{
    switch (r->form) {
    case PACKED_GZIP:
    case PACKED_ZLIB:
        return read_zlib(r, packed, room, size, len);
    case PACKED_ZSTD:
        return read_zstd(r, packed, room, size, len);
    case PACKED_NOT:
        break;
    }
    *len = packed->len < size ? packed->len : size;
    if (*len)
        memcpy(room, packed->at, *len);
    *packed = span_from(*packed, *len);
    return NULL;
}

const char *packed_reader_end(const struct packed_reader *r)
{
    return r->inside ? "it ends too early" : NULL;
}

const char *packed_unpack(enum packed_form form, struct span packed, size_t most, struct buf *out)
{
    struct packed_reader *r = packed_reader_new(form);
    const char *problem;
    size_t len;

    do {
        problem = packed_read(r, &packed, buf_reserve(out, PART), PART, &len);
        out->len += len;
    } while (!problem && (packed.len || len) && out->len <= most);
    if (!problem && out->len <= most)
        problem = packed_reader_end(r);
    packed_reader_free(r);
    return problem;
}

/* --- packing --------------------------------------------------------------------------------- */

struct packed_writer {
    enum packed_form form;
    struct libdeflate_compressor *gzip;
    ZSTD_CCtx *zstd;
};

struct packed_writer *packed_writer_new(enum packed_form form)
{
    struct packed_writer *w = process_zeroed(sizeof *w);

    w->form = form;
    if (form == PACKED_GZIP)
        w->gzip = process_have(libdeflate_alloc_compressor(GZIP_LEVEL));
    if (form == PACKED_ZSTD)
        w->zstd = process_have(ZSTD_createCCtx());
    return w;
}

void packed_writer_free(struct packed_writer *w)
{
    if (!w)
        return;
    libdeflate_free_compressor(w->gzip);
    ZSTD_freeCCtx(w->zstd);
    free(w);
}

static void add_gzip(struct packed_writer *w, struct buf *out, struct span bytes)
{
    size_t room = libdeflate_gzip_compress_bound(w->gzip, bytes.len);

    out->len += libdeflate_gzip_compress(w->gzip, bytes.at, bytes.len, buf_reserve(out, room),
                                         room);
}

static void add_zstd(struct packed_writer *w, struct buf *out, struct span bytes)
{
    size_t room = ZSTD_compressBound(bytes.len);
    size_t len = ZSTD_compressCCtx(w->zstd, buf_reserve(out, room), room, bytes.at, bytes.len,
                                   ZSTD_LEVEL);

    process_need(!ZSTD_isError(len)); /* there is room enough: only memory can be missing */
    out->len += len;
}

void packed_add(struct packed_writer *w, struct buf *out, struct span bytes)
{
    switch (w->form) {
    case PACKED_GZIP:
        add_gzip(w, out, bytes);
        return;
    case PACKED_ZSTD:
        add_zstd(w, out, bytes);
        return;
    case PACKED_NOT:
    case PACKED_ZLIB: /* only read */
        buf_add_span(out, bytes);
        return;
    }
}
