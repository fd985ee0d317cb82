/* catalogue_kinds.h: what was found out about requests that are written alike, for the next of
 * them.
 *
 * Of a bounded number of kinds, in bounded memory: where there is no room for another one, all are
 * forgotten. */
#ifndef CATALOGUE_CATALOGUE_KINDS_H
#define CATALOGUE_CATALOGUE_KINDS_H

#include "catalogue/catalogue_shape.h"

struct catalogue_step;
struct catalogue_kinds;

/* All that depends neither on values nor on what came of the request. */
struct catalogue_kind {
    struct span text; /* of its shape */
    uint64_t hash;    /* of the text */
    struct catalogue_value *values;
    size_t value_count;
    bool needs_values;                   /* any of them is needed */
    const struct catalogue_step **steps; /* those of its shape */
    size_t step_count;
    const struct catalogue_step *answer; /* for one that looks in vain; NULL: none is known */
    bool keyless;                        /* it says no key, so it does look in vain */
};

/* In the arena. */
struct catalogue_kinds *catalogue_kinds_new(struct arena *a);

/* The kind with that mark (catalogue_shape_mark), without the JSON of its values; NULL: none. It is
 * there until one is kept. */
const struct catalogue_kind *catalogue_kinds_find(const struct catalogue_kinds *k,
                                                  struct span mark);

/* Keeps a copy of a kind whose mark is not there. */
void catalogue_kinds_keep(struct catalogue_kinds *k, struct span mark,
                          const struct catalogue_kind *kind);

#endif
