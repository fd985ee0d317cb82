#include "base/gunzip.h"

#include <libdeflate.h>

static const struct {
    enum libdeflate_result (*unpack)(struct libdeflate_decompressor *, const void *, size_t, void *,
                                     size_t, size_t *, size_t *);
    size_t member_min; /* bytes of the smallest possible member */
    bool states_length;
} forms[] = {
    [GUNZIP_GZIP] = {libdeflate_gzip_decompress_ex, 18, true},
    [GUNZIP_ZLIB] = {libdeflate_zlib_decompress_ex, 8, false},
};

/* The length stated at the end of gzip data, which is usually the member's; capped at what that
 * many packed bytes can unpack to. */
static size_t expected_length(enum gunzip_form form, struct span packed)
{
    const unsigned char *end = (const unsigned char *)span_end(packed);
    size_t most = packed.len * 1032; /* deflate's highest ratio */
    size_t stated;

    if (!forms[form].states_length)
        return packed.len * 4;
    stated = (size_t)end[-4] | (size_t)end[-3] << 8 | (size_t)end[-2] << 16 | (size_t)end[-1] << 24;
    return stated < most ? stated : most;
}

/* Unpacks the member at the start of *packed behind `out`, which has room for `room` more bytes. */
static enum libdeflate_result unpack_member(struct libdeflate_decompressor *d,
                                            enum gunzip_form form, struct span *packed, char *out,
                                            size_t room, size_t *len)
{
    size_t used;
    enum libdeflate_result result = forms[form].unpack(d, packed->at, packed->len, out, room, &used,
                                                       len);

    if (result == LIBDEFLATE_SUCCESS)
        *packed = span_from(*packed, used);
    return result;
}

/* Leaves room for one byte more than is allowed, so that an output that is too long is noticed. */
static enum libdeflate_result unpack_all(struct arena *a, struct libdeflate_decompressor *d,
                                         enum gunzip_form form, struct span packed, size_t most,
                                         struct span *out)
{
    size_t room = expected_length(form, packed) + 1, len = 0, got = 0;
    char *bytes = NULL;
    enum libdeflate_result result = LIBDEFLATE_SUCCESS;

    if (room > most + 1)
        room = most + 1;
    bytes = arena_alloc(a, room);
    while (packed.len && result == LIBDEFLATE_SUCCESS) {
        result = unpack_member(d, form, &packed, bytes + len, room - len, &got);
        if (result == LIBDEFLATE_SUCCESS) {
            len += got;
        } else if (result == LIBDEFLATE_INSUFFICIENT_SPACE && room <= most) {
            size_t more = room * 2 < most + 1 ? room * 2 : most + 1;

            bytes = arena_grow(a, bytes, room, more);
            room = more;
            result = LIBDEFLATE_SUCCESS;
        }
    }
    *out = (struct span){bytes, len};
    return result == LIBDEFLATE_SUCCESS && len > most ? LIBDEFLATE_INSUFFICIENT_SPACE : result;
}

enum gunzip_result gunzip_within(struct arena *a, enum gunzip_form form, struct span packed,
                                 size_t most, struct span *out)
{
    struct libdeflate_decompressor *d;
    enum libdeflate_result result;

    if (packed.len < forms[form].member_min)
        return GUNZIP_BROKEN;
    d = process_have(libdeflate_alloc_decompressor());
    result = unpack_all(a, d, form, packed, most, out);
    libdeflate_free_decompressor(d);
    if (result == LIBDEFLATE_INSUFFICIENT_SPACE)
        return GUNZIP_TOO_LONG;
    return result == LIBDEFLATE_SUCCESS ? GUNZIP_WHOLE : GUNZIP_BROKEN;
}
