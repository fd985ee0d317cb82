/* search_scan.h: finds the nearest rows of a set, exactly, by reading each row.
 *
 * A set of more than `at_once` bytes, including the cost of the condition, is read in slices. Equal
 * scores are in the order of their keys. */
#pragma once

#include "model/vector.h"
#include "ops/vector/search_filter.h"
#include "store/vectors.h"

struct search_scan {
    struct vector_set *set;
    struct vector_query query;
    struct search_filter filter;
    size_t most;    /* number of hits to find */
    size_t at_once; /* bytes of vectors */
};

bool search_scan_is_long(const struct search_scan *scan); /* it takes several slices */

/* Continues at `search`; true when it has read all rows. Charges its work to the arena. */
bool search_scan(struct arena *a, const struct search_scan *scan, struct vector_search *search);
