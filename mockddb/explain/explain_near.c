#include "explain/explain_near.h"

#include <ctype.h>

#define LONGEST ((size_t)160) /* text that is compared by distance */

/* --- sameness --------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static char plain(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (char)(c - 'A' + 'a');
    return c == '_' ? '-' : c;
}

static size_t skip_blanks(struct span text, size_t at)
{
    while (at < text.len && is_blank(text.at[at]))
        at++;
    return at;
}

bool explain_near_same(struct span a, struct span b)
{
    size_t i = 0, k = 0;

    for (;;) {
        i = skip_blanks(a, i);
        k = skip_blanks(b, k);
        if (i == a.len || k == b.len)
            return i == a.len && k == b.len;
        if (plain(a.at[i++]) != plain(b.at[k++]))
            return false;
    }
}

bool explain_near_begins(struct span text, struct span prefix)
{
    return text.len >= prefix.len && explain_near_same((struct span){text.at, prefix.len}, prefix);
}

/* --- distance --------------------------------------------------------------------------------- */

size_t explain_near_threshold(struct span text)
{
    return text.len < 4 ? 0 : text.len < 8 ? 1 : text.len < 24 ? 2 : 3;
}

size_t explain_near_distance(struct inquiry *q, struct span a, struct span b, size_t limit)
{
    size_t row[LONGEST + 1];

    if (a.len > LONGEST || b.len > LONGEST || a.len > b.len + limit || b.len > a.len + limit)
        return limit + 1;
    arena_charge(q->arena, a.len * b.len / 16);
    for (size_t k = 0; k <= b.len; k++)
        row[k] = k;
    for (size_t i = 1; i <= a.len; i++) {
        size_t diagonal = row[0], least = row[0] = i;

        for (size_t k = 1; k <= b.len; k++) {
            size_t above = row[k], next = diagonal + (a.at[i - 1] != b.at[k - 1]);

            if (above + 1 < next)
                next = above + 1;
            if (row[k - 1] + 1 < next)
                next = row[k - 1] + 1;
            diagonal = above;
            row[k] = next;
            if (next < least)
                least = next;
        }
        if (least > limit)
            return limit + 1;
    }
    return row[b.len];
}

void explain_near_consider(struct inquiry *q, struct near_best *best, struct span asked,
                           struct span there)
{
    size_t limit = explain_near_threshold(asked), i;
    size_t distance = explain_near_distance(q, asked, there, limit);

    if (distance > limit)
        return;
    for (i = 0; i < best->len; i++)
        if (span_equal(best->at[i], there))
            return;
    i = best->len < EXPLAIN_NEAR_BEST ? best->len++ : EXPLAIN_NEAR_BEST;
    for (; i > 0 && best->distance[i - 1] > distance; i--)
        if (i < EXPLAIN_NEAR_BEST) {
            best->at[i] = best->at[i - 1];
            best->distance[i] = best->distance[i - 1];
        }
    if (i == EXPLAIN_NEAR_BEST)
        return;
    best->at[i] = there;
    best->distance[i] = distance;
}

/* --- words ------------------------------------------------------------------------------------ */

static bool has_blank_edge(struct span text)
{
    return text.len && (is_blank(text.at[0]) || is_blank(text.at[text.len - 1]));
}

const char *explain_near_words(struct span asked, struct span there)
{
    bool by_case = false, by_dash = false;

    if (!explain_near_same(asked, there))
        return NULL;
    if (asked.len && asked.at[asked.len - 1] == '\n')
        return "what was asked for ends with a line end";
    if (asked.len && is_blank(asked.at[asked.len - 1]))
        return "what was asked for ends with white space";
    if (has_blank_edge(asked))
        return "what was asked for begins with white space";
    if (has_blank_edge(there))
        return "what is stored has white space at its edge";
    if (asked.len != there.len)
        return "they differ in white space";
    for (size_t i = 0; i < asked.len; i++) {
        by_case = by_case ||
                  (asked.at[i] != there.at[i] &&
                   tolower((unsigned char)asked.at[i]) == tolower((unsigned char)there.at[i]));
        by_dash = by_dash || (asked.at[i] != there.at[i] && plain(asked.at[i]) == '-');
    }
    if (by_case && !by_dash)
        return "keys compare byte by byte, case included";
    return "keys compare byte by byte, - and _ are two";
}

void explain_near_show(struct inquiry *q, struct span asked, struct span there)
{
    size_t shared = asked.len < there.len ? asked.len : there.len, first = 0, last = 0;
    struct buf marks = buf_in(q->arena);

    if (asked.len > LONGEST || there.len > LONGEST)
        return;
    while (first < shared && asked.at[first] == there.at[first])
        first++;
    while (last < shared - first &&
           asked.at[asked.len - 1 - last] == there.at[there.len - 1 - last])
        last++;
    for (size_t i = 0; i < first + 1; i++)
        buf_add_char(&marks, ' ');
    for (size_t i = first; i < there.len - last || i == first; i++)
        buf_add_char(&marks, '^');
    inquiry_line(q, "asked: %s", inquiry_text(q, asked));
    inquiry_line(q, "there: %s", inquiry_text(q, there));
    inquiry_line(q, "       %s", buf_text(&marks));
}
