/* compare.c: memcmp and bcmp by words. Those that zig brings look at one byte after the other, and
 * items are compared in many places. For processors whose words begin with the lowest byte. */
#include <stddef.h>
#include <stdint.h>

#define WORD sizeof(uint64_t)

/* The difference of two words in the order of their bytes in memory. */
static int compare_words(uint64_t left, uint64_t right)
{
    left = __builtin_bswap64(left);
    right = __builtin_bswap64(right);
    return left < right ? -1 : left > right;
}

int memcmp(const void *left, const void *right, size_t len)
{
    const unsigned char *a = left, *b = right;

    for (; len >= WORD; len -= WORD, a += WORD, b += WORD) {
        uint64_t x, y;

        __builtin_memcpy(&x, a, WORD);
        __builtin_memcpy(&y, b, WORD);
        if (x != y)
            return compare_words(x, y);
    }
    for (; len; len--, a++, b++) {
        if (*a != *b)
            return *a - *b;
    }
    return 0;
}

int bcmp(const void *left, const void *right, size_t len)
{
    return memcmp(left, right, len);
}
