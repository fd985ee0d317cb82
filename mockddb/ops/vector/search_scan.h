/* search_scan.h: the nearest rows of a set: exact, by looking at each.
 *
 * A set of more than `at_once` bytes is gone through in slices; what a condition looks at counts as
 * well. Equal scores are in the order of their keys. */
#ifndef OPS_SEARCH_SCAN_H
#define OPS_SEARCH_SCAN_H

#include "model/vector.h"
#include "ops/vector/search_filter.h"
#include "store/vectors.h"

struct search_scan {
    struct vector_set *set;
    struct vector_query query;
    struct search_filter filter;
    size_t most;    /* hits that are wanted */
    size_t at_once; /* bytes of vectors */
};

bool search_scan_is_long(const struct search_scan *scan); /* it takes several slices */

/* Goes on where `search` is; true when it has seen all rows. What it takes is charged. */
bool search_scan(struct arena *a, const struct search_scan *scan, struct vector_search *search);

#endif
