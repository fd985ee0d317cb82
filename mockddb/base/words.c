#include "base/words.h"

/* The byte of the word at `at`; the words end with a blank, the text with `to`. */
static unsigned char byte_of_word(const char *at, const char *to)
{
    return at < to ? (unsigned char)*at : ' ';
}

struct span words_find(struct span words, struct span word)
{
    const char *from = words.at, *to = span_end(words);

    while (from < to) {
        const char *at = from + (to - from) / 2, *end;
        size_t same = 0;

        while (at > from && at[-1] != ' ')
            at--;
        while (same < word.len && word.at[same] != ' ' &&
               byte_of_word(at + same, to) == (unsigned char)word.at[same])
            same++;
        end = at + same;
        if (same == word.len && byte_of_word(end, to) == ' ')
            return (struct span){at, same};
        if (same == word.len || (unsigned char)word.at[same] < byte_of_word(end, to)) {
            to = at > from ? at - 1 : from;
            continue;
        }
        while (byte_of_word(end, to) != ' ')
            end++;
        from = end + 1;
    }
    return (struct span){NULL, 0};
}
