/* explain_near.h: how near two texts are that should perhaps have been the same. */
#pragma once

#include "explain/inquiry.h"

/* Whether they look the same (base/fold.h). */
bool explain_near_same(struct span a, struct span b);

/* Whether one of them is the other with one part more, which marks such as # and - set apart. */
bool explain_near_piece(struct span asked, struct span there);

/* Whether a text, or what follows its last #, is an id made by chance, such as a UUID: others of
 * them say nothing about it. */
bool explain_near_is_random(struct span text);

/* Whether it has digits and marks alone, as dates do. */
bool explain_near_is_of_digits(struct span text);

/* How many bytes have to be put, taken or changed to make one the other; limit + 1 for more than
 * `limit`. */
size_t explain_near_distance(struct inquiry *q, struct span a, struct span b, size_t limit);

/* The distance up to which texts of this length are near: a floor against chance. */
size_t explain_near_threshold(struct span text);

/* Whether two names of attributes may be meant as one: jobType for job_type, or a slip. */
bool explain_near_names(struct inquiry *q, struct span a, struct span b);

/* Whether `longer` is `name` with more words in front of it or behind: user_email for email. */
bool explain_near_longer_name(struct span name, struct span longer);

/* The path to a member of that name in a map, or in a list's first element; at NULL: no path. */
struct span explain_near_nested(struct inquiry *q, const struct field *f, struct span name);

/* In what two texts that explain_near_same differ, in words; NULL where it is not so simple. */
const char *explain_near_words(struct span asked, struct span there);

/* ": case counts" of two names that differ in nothing else; "". */
const char *explain_near_case(struct span asked, struct span there);

/* Two lines below the reason: both texts, and marks under what differs. */
void explain_near_show(struct inquiry *q, struct span asked, struct span there);

/* The nearest of many: as many as are equally near, three at most. */
#define EXPLAIN_NEAR_BEST 3
struct near_best {
    struct span at[EXPLAIN_NEAR_BEST];
    size_t len, distance;
    size_t seen; /* those that were near, kept or not */
};
void explain_near_keep(struct near_best *best, struct span there, size_t distance);
/* By distance; numbers that tell things apart are not near. */
void explain_near_consider(struct inquiry *q, struct near_best *best, struct span asked,
                           struct span there);
/* With a part more or less, the shortest first. */
void explain_near_consider_piece(struct inquiry *q, struct near_best *best, struct span asked,
                                 struct span there);
