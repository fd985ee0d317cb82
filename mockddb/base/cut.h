/* cut.h: cuts texts at marks, such as paths, queries and lines. */
#pragma once

#include "base/span.h"

/* Cuts the part before the mark off the front of *rest, and the mark itself; all of it if there is
 * no mark. */
static inline struct span cut_part(struct span *rest, char mark)
{
    const char *end = span_find(*rest, mark);
    struct span part = {rest->at, end ? (size_t)(end - rest->at) : rest->len};

    *rest = span_from(*rest, part.len + (end != NULL));
    return part;
}

/* Cuts the ending off a longer text; returns false if the text does not end so. */
static inline bool cut_ending(struct span *text, const char *ending)
{
    const struct span end = span_of(ending);

    if (text->len <= end.len || !span_equal(span_from(*text, text->len - end.len), end))
        return false;
    text->len -= end.len;
    return true;
}
