/* key_walk.h: a table or an index whose keys are read in slices, between which it may be changed or
 * dropped. */
#pragma once

#include "base/buf.h"
#include "store/store.h"

struct key_walk {
    struct store *store;    /* borrowed */
    struct span id;         /* the table's */
    struct span index_name; /* empty: the table itself */
    uint32_t space;
    const struct table *table; /* of this slice */
    const struct index *index; /* or NULL: the table itself */
    struct buf place;          /* where the next slice begins */
};

/* Begins before the first key. Texts are kept in the arena; ix may be NULL. */
void key_walk_begin(struct key_walk *w, struct arena *a, struct store *s, const struct table *t,
                    const struct index *ix);
/* Begins a slice: finds the table as it is now. False: it, or the index, is not there any more. */
bool key_walk_resume(struct key_walk *w);
/* The next slice begins at this key. */
void key_walk_go_to(struct key_walk *w, struct span key);
/* The next slice begins at the first key behind this one. */
void key_walk_pass(struct key_walk *w, struct span key);

static inline const struct key_schema *key_walk_keys(const struct key_walk *w)
{
    return w->index ? &w->index->keys : &w->table->keys;
}
