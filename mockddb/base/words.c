#include "base/words.h"

struct span words_find(struct span words, struct span word)
{
    const size_t stride = word.len + 1;
    size_t low = 0, high = word.len ? (words.len + 1) / stride : 0;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *at = words.at + middle * stride;
        int order = memcmp(word.at, at, word.len);

        if (order == 0)
            return (struct span){at, word.len};
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return (struct span){NULL, 0};
}
