#include "base/plain.h"

#include <stddef.h>
#include <stdint.h>

/* A block of bytes is read as one value; its marks have a bit set for each special byte. */
#if defined __SSE2__ && !defined PLAIN_PORTABLE /* every x86-64; tests check the other way too */

#include <emmintrin.h>

#define BLOCK 16

static uint64_t marks_of(const char *at)
{
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
    const __m128i quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
    const __m128i slashes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
    const __m128i controls = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1F)), bytes);

    return (uint64_t)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quotes, slashes), controls));
}

static size_t first_of(uint64_t marks)
{
    return (size_t)__builtin_ctzll(marks);
}

#else

#define BLOCK 8
#define ONES  0x0101010101010101u
#define HIGHS 0x8080808080808080u

/* Eight bytes, the first one lowest; compilers turn this into one load. */
static uint64_t word_at(const char *at)
{
    uint64_t word = 0;

    for (int i = 0; i < 8; i++)
        word |= (uint64_t)(unsigned char)at[i] << (8 * i);
    return word;
}

/* Bytes above the first special one may be marked too. */
static uint64_t marks_of(const char *at)
{
    uint64_t word = word_at(at), quote = word ^ (ONES * '"'), slash = word ^ (ONES * '\\');

    return (((quote - ONES) & ~quote) | ((slash - ONES) & ~slash) |
            ((word - ONES * 0x20) & ~word)) &
           HIGHS;
}

/* The number of bytes below the lowest mark. */
static size_t first_of(uint64_t marks)
{
    return (size_t)(((((marks & (0 - marks)) - 1) & ONES) * ONES) >> 56) - 1;
}

#endif

const char *plain_end(const char *at, const char *end)
{
    for (; end - at >= BLOCK; at += BLOCK) {
        const uint64_t marks = marks_of(at);

        if (marks)
            return at + first_of(marks);
    }
    while (at < end && !plain_is_special(*at))
        at++;
    return at;
}
