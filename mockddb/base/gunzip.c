#include "base/gunzip.h"

#include <libdeflate.h>

#include "base/buf.h"

#define MEMBER_MIN 18 /* bytes of the smallest member; its last four are its unpacked length */

/* The length that the file's end states, which is a member's as a rule; never more than so many
 * bytes can stand for. */
static size_t expected_length(struct span packed)
{
    const unsigned char *end = (const unsigned char *)span_end(packed);
    size_t stated = (size_t)end[-4] | (size_t)end[-3] << 8 | (size_t)end[-2] << 16 |
                    (size_t)end[-1] << 24;
    size_t most = packed.len * 1032; /* deflate packs no better */

    return stated < most ? stated : most;
}

static const char *problem_of(enum libdeflate_result result)
{
    return result == LIBDEFLATE_INSUFFICIENT_SPACE ? "it unpacks to more than 1 GB"
                                                   : "this is not a whole gzip file";
}

/* Unpacks the member at the start of *packed behind `out`, which has room for `room` bytes more. */
static enum libdeflate_result unpack(struct libdeflate_decompressor *d, struct span *packed,
                                     char *out, size_t room, size_t *len)
{
    size_t used;
    enum libdeflate_result result = libdeflate_gzip_decompress_ex(d, packed->at, packed->len, out,
                                                                  room, &used, len);

    if (result == LIBDEFLATE_SUCCESS)
        *packed = span_from(*packed, used);
    return result;
}

static enum libdeflate_result unpack_all(struct arena *a, struct libdeflate_decompressor *d,
                                         struct span packed, struct span *out)
{
    size_t room = expected_length(packed) + 1, len = 0, got = 0;
    char *bytes = NULL;
    enum libdeflate_result result = LIBDEFLATE_SUCCESS;

    if (room > GUNZIP_MOST)
        return LIBDEFLATE_INSUFFICIENT_SPACE;
    bytes = arena_alloc(a, room);
    while (packed.len && result == LIBDEFLATE_SUCCESS) {
        result = unpack(d, &packed, bytes + len, room - len, &got);
        if (result == LIBDEFLATE_SUCCESS) {
            len += got;
        } else if (result == LIBDEFLATE_INSUFFICIENT_SPACE && room < GUNZIP_MOST) {
            bytes = arena_grow(a, bytes, room, room * 2);
            room *= 2;
            result = LIBDEFLATE_SUCCESS;
        }
    }
    *out = (struct span){bytes, len};
    return result;
}

const char *gunzip(struct arena *a, struct span packed, struct span *out)
{
    struct libdeflate_decompressor *d;
    enum libdeflate_result result = LIBDEFLATE_BAD_DATA;

    if (packed.len < MEMBER_MIN)
        return problem_of(result);
    if (!(d = libdeflate_alloc_decompressor()))
        process_out_of_memory();
    result = unpack_all(a, d, packed, out);
    libdeflate_free_decompressor(d);
    return result == LIBDEFLATE_SUCCESS ? NULL : problem_of(result);
}
