/* catalogue_kinds.h: a cache of the results for requests that are written alike.
 *
 * It holds a bounded number of kinds in bounded memory: if there is no room for another one, all
 * are forgotten. */
#ifndef CATALOGUE_CATALOGUE_KINDS_H
#define CATALOGUE_CATALOGUE_KINDS_H

#include "catalogue/catalogue_shape.h"

struct catalogue_step;
struct catalogue_kinds;

/* The results that depend neither on values nor on the reply. */
struct catalogue_kind {
    struct span text; /* of its shape */
    uint64_t hash;    /* of the text */
    struct catalogue_value *values;
    size_t value_count;
    bool needs_values;                   /* some value is needed */
    const struct catalogue_step **steps; /* the steps with its shape */
    size_t step_count;
    const struct catalogue_step *answer; /* for a request that reads too much; NULL: unknown */
    bool keyless;                        /* it has no key, so it reads too much */
};

/* Makes a cache in the arena. */
struct catalogue_kinds *catalogue_kinds_new(struct arena *a);

/* The kind with that mark (catalogue_shape_mark), without the JSON of its values, or NULL. Valid
 * until the next catalogue_kinds_keep. */
const struct catalogue_kind *catalogue_kinds_find(const struct catalogue_kinds *k,
                                                  struct span mark);

/* Keeps a copy of a kind whose mark is not in the cache. */
void catalogue_kinds_keep(struct catalogue_kinds *k, struct span mark,
                          const struct catalogue_kind *kind);

#endif
