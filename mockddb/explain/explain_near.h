/* explain_near.h: how near two texts are that should perhaps have been the same. */
#ifndef EXPLAIN_EXPLAIN_NEAR_H
#define EXPLAIN_EXPLAIN_NEAR_H

#include "explain/inquiry.h"

/* Whether they differ only in case, white space, and - for _. */
bool explain_near_same(struct span a, struct span b);
/* Whether `text` begins so, as explain_near_same has it, in as many bytes. */
bool explain_near_begins(struct span text, struct span prefix);

/* How many bytes have to be put, taken or changed to make one the other; limit + 1 for more than
 * `limit`. */
size_t explain_near_distance(struct inquiry *q, struct span a, struct span b, size_t limit);

/* The distance up to which texts of this length are near: a floor against chance. */
size_t explain_near_threshold(struct span text);

/* In what two texts that explain_near_same differ, in words; NULL where it is not so simple. */
const char *explain_near_words(struct span asked, struct span there);

/* Two lines below the reason: both texts, and marks under what differs. */
void explain_near_show(struct inquiry *q, struct span asked, struct span there);

/* The best few of many. */
#define EXPLAIN_NEAR_BEST 3
struct near_best {
    struct span at[EXPLAIN_NEAR_BEST];
    size_t distance[EXPLAIN_NEAR_BEST];
    size_t len;
};
void explain_near_consider(struct inquiry *q, struct near_best *best, struct span asked,
                           struct span there);

#endif
