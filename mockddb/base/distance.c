#include "base/distance.h"

size_t distance_between(struct span a, struct span b, size_t limit)
{
    size_t row[DISTANCE_LONGEST + 1];

    if (a.len > DISTANCE_LONGEST || b.len > DISTANCE_LONGEST || a.len > b.len + limit ||
        b.len > a.len + limit)
        return limit + 1;
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
    return row[b.len] > limit ? limit + 1 : row[b.len];
}
