#include "base/distance.h"

/* Removes the common beginning and end of two texts. */
static void strip_common(struct span *a, struct span *b)
{
    while (a->len && b->len && a->at[0] == b->at[0]) {
        *a = span_from(*a, 1);
        *b = span_from(*b, 1);
    }
    while (a->len && b->len && a->at[a->len - 1] == b->at[b->len - 1]) {
        a->len--;
        b->len--;
    }
}

static size_t least_of(size_t a, size_t b, size_t c)
{
    size_t least = a < b ? a : b;

    return c < least ? c : least;
}

/* One row of the table for each byte of `a`; each row computes only the cells near the diagonal
 * that can be within the limit. */
size_t distance_between(struct span a, struct span b, size_t limit)
{
    size_t row[DISTANCE_LONGEST + 1], far = limit + 1;

    if (a.len > DISTANCE_LONGEST || b.len > DISTANCE_LONGEST || a.len > b.len + limit ||
        b.len > a.len + limit)
        return far;
    strip_common(&a, &b);
    for (size_t k = 0; k <= b.len; k++)
        row[k] = k;
    for (size_t i = 1; i <= a.len; i++) {
        size_t from = i > limit ? i - limit : 1, to = i + limit < b.len ? i + limit : b.len;
        size_t diagonal = row[from - 1], least = i;

        row[from - 1] = from == 1 ? i : far;
        for (size_t k = from; k <= to; k++) {
            size_t above = k < i + limit ? row[k] : far;
            size_t next = least_of(diagonal + (a.at[i - 1] != b.at[k - 1]), above + 1,
                                   row[k - 1] + 1);

            diagonal = row[k];
            row[k] = next;
            least = next < least ? next : least;
        }
        if (least > limit && row[from - 1] > limit)
            return far;
    }
    return row[b.len] > limit ? far : row[b.len];
}
