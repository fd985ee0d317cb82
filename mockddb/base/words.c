#include "base/words.h"

struct span words_find(struct span words, struct span word)
{
    const char *from = words.at, *to = span_end(words);

    while (from < to) {
        const char *at = from + (to - from) / 2, *end;
        struct span found;
        int order;

        while (at > from && at[-1] != ' ')
            at--;
        end = memchr(at, ' ', (size_t)(to - at));
        found = (struct span){at, (size_t)((end ? end : to) - at)};
        order = span_compare(word, found);
        if (order == 0)
            return found;
        if (order < 0)
            to = at > from ? at - 1 : from;
        else
            from = end ? end + 1 : to;
    }
    return (struct span){NULL, 0};
}
