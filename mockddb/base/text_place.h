/* text_place.h: lines and columns in texts, for messages. */
#pragma once

#include "base/span.h"

/* Counted from 1, columns in bytes; 0: unknown. */
struct text_place {
    size_t line, column;
};

/* The place after a text that begins at `from`. */
static inline struct text_place text_place_after(struct text_place from, struct span text)
{
    const char *at = text.at, *end = span_end(text), *feed;

    while (at < end && (feed = memchr(at, '\n', (size_t)(end - at)))) {
        from.line++;
        from.column = 1;
        at = feed + 1;
    }
    from.column += (size_t)(end - at);
    return from;
}

/* The place of a byte of the text, or of its end. */
static inline struct text_place text_place_of(struct span text, const char *at)
{
    return text_place_after((struct text_place){1, 1},
                            (struct span){text.at, (size_t)(at - text.at)});
}
