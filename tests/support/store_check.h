/* store_check.h: whether everything in a store agrees with everything else.
 *
 * Items lie where their keys say, have the size they count, and are in exactly the indexes that
 * they belong to; every body has its entries, every entry its body; counters are what counting
 * gives. To be called between units, with no work left between requests. */
#pragma once

#include "store/store.h"

/* NULL, or one sentence in the arena: the first thing that does not agree. */
const char *store_check(struct store *s, struct arena *a);

/* What is in a store, to compare with what is in another. */
struct store_contents {
    int64_t entries;
    uint64_t hash; /* of tables, entries, bodies and counters */
};

/* The same, and *c is what the store contains. Contents that were in order before are not checked
 * a second time. */
const char *store_check_contents(struct store *s, struct arena *a, struct store_contents *c);
