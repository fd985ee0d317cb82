#include "base/search.h"

#include <assert.h>

/* The two-way algorithm of Crochemore and Perrin: the part is cut in two at a critical position;
 * its right half is compared forwards, then its left half backwards, and every mismatch allows a
 * shift that never looks at a byte more than a constant number of times. */

/* Returns where the greatest suffix of the part begins, and sets its period; `reversed` reverses
 * the order of bytes. */
static size_t greatest_suffix(const unsigned char *x, size_t len, bool reversed, size_t *period)
{
    size_t start = 0, next = 1, k = 0;

    *period = 1;
    while (next + k < len) {
        unsigned char a = x[next + k], b = x[start + k];

        if (a == b) {
            if (++k == *period) {
                next += *period;
                k = 0;
            }
        } else if (reversed ? a > b : a < b) {
            next += k + 1;
            k = 0;
            *period = next - start;
        } else {
            start = next++;
            k = 0;
            *period = 1;
        }
    }
    return start;
}

static bool find_part(const unsigned char *in, size_t in_len, const unsigned char *x, size_t len,
                      size_t *looked)
{
    size_t period, other_period, at = 0, memory = 0, memory_after_match;
    size_t cut = greatest_suffix(x, len, false, &period);
    size_t other_cut = greatest_suffix(x, len, true, &other_period);

    if (other_cut > cut) {
        cut = other_cut;
        period = other_period;
    }
    if (memcmp(x, x + period, cut) == 0) {
        memory_after_match = len - period;
    } else { /* not periodic: any mismatch on the left allows a long shift */
        memory_after_match = 0;
        period = (cut > len - cut ? cut : len - cut) + 1;
    }
    *looked += 2 * len;
    while (in_len - at >= len) {
        size_t i = cut > memory ? cut : memory;

        while (i < len && x[i] == in[at + i])
            i++;
        if (i < len) {
            at += i - cut + 1;
            memory = 0;
        } else {
            for (i = cut; i > memory && x[i - 1] == in[at + i - 1]; i--)
                ;
            if (i <= memory) {
                *looked += at;
                return true;
            }
            at += period;
            memory = memory_after_match;
        }
        assert(at <= in_len); /* no shift is longer than the part */
    }
    *looked += at;
    return false;
}

bool search_contains(struct span in, struct span part, size_t *looked)
{
    const char *first;

    if (part.len == 0)
        return true;
    if (part.len > in.len || !(first = memchr(in.at, part.at[0], in.len - part.len + 1)))
        return false;
    if (part.len == 1)
        return true;
    if (part.len == in.len)
        return memcmp(in.at, part.at, in.len) == 0;
    in = span_from(in, (size_t)(first - in.at));
    return find_part((const unsigned char *)in.at, in.len, (const unsigned char *)part.at, part.len,
                     looked);
}
