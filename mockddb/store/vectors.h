/* vectors.h: the vectors of spaces, packed side by side in memory.
 *
 * What a search goes through: a set for an index's space, in it a row for each entry, with its
 * floats and a label of a few bytes. Sets are no part of what is stored, but made of it: one is
 * begun by the first search, filled from the entries, a slice at a time, and from then on whoever
 * changes entries notes their keys. The next search reads the noted entries again. So there is
 * nothing to undo with a unit, and a store that is opened or copied has none. What floats and
 * labels mean is the searcher's business (ops/vector/). */
#ifndef STORE_VECTORS_H
#define STORE_VECTORS_H

#include "base/siphash.h"
#include "base/span.h"

struct vector_set;

/* All sets of a store: store_vectors in store/store.h. */
struct vectors {
    struct vector_set *sets;
    struct vector_set *outdated; /* are freed when the next one begins */
};

void vectors_free(struct vectors *all);
/* No set counts any more. A search that is under way keeps the memory of its own. */
void vectors_outdate(struct vectors *all);
/* A space that was dropped. */
void vectors_drop(struct vectors *all, uint32_t space);

/* The set of a space, or NULL; a new one, whose rows have `floats` floats, for a space that has
 * none. The key is for the hash of what clients choose. */
struct vector_set *vectors_find(const struct vectors *all, uint32_t space);
struct vector_set *vectors_begin(struct vectors *all, uint32_t space, size_t floats,
                                 const struct siphash_key *key);

/* The entry of that key in the space is changed, or may be; nothing where the space has no set. A
 * set of which more is noted than it holds is given up: it is filled anew in less time. */
void vectors_note(struct vectors *all, uint32_t space, struct span key);

/* --- filling ---------------------------------------------------------------------------------- */

/* The key of the last entry that was read for it, "" for none, and whether it was the last of
 * all. */
struct span vectors_position(const struct vector_set *set);
bool vectors_is_filled(const struct vector_set *set);
void vectors_set_position(struct vector_set *set, struct span key);
void vectors_set_filled(struct vector_set *set);

/* The key that was noted last, and taking it off when its entry was read; false where there is
 * none. The bytes are borrowed until the next note. */
bool vectors_last_note(const struct vector_set *set, struct span *key);
void vectors_drop_note(struct vector_set *set);

/* --- rows ------------------------------------------------------------------------------------- */

struct vector_row {
    const float *at;
    double norm;       /* as it was put */
    struct span key;   /* of the entry */
    struct span label; /* as it was put */
};

/* Puts a row in place of the one of that key, or as a new one; takes one away, if it is there. */
void vectors_put(struct vector_set *set, const struct vector_row *row);
void vectors_remove(struct vector_set *set, struct span key);

size_t vectors_count(const struct vector_set *set);
/* In no certain order; a row is where it was as long as none is removed. */
struct vector_row vectors_row(const struct vector_set *set, size_t i);
size_t vectors_bytes(const struct vector_set *set); /* of all floats */

/* --- searches that take several turns --------------------------------------------------------- */

#define VECTORS_HITS 100

struct vector_hit {
    float score;
    uint32_t row;
};

/* How far one is: nearest first. */
struct vector_search {
    uint64_t id;
    int64_t used_us; /* when it last went on */
    size_t next;     /* the first row that it has not seen */
    size_t count;
    struct vector_hit hits[VECTORS_HITS];
};

/* The search of that id that is under way, or a new one. Of many at a time the one that has waited
 * longest begins anew. */
struct vector_search *vectors_search(struct vector_set *set, uint64_t id, int64_t now_us);
void vectors_end_search(struct vector_set *set, uint64_t id);

/* Whether searches are under way: rows must not go, and notes wait. Whoever has not gone on for
 * seconds will not come again. */
bool vectors_is_searched(struct vector_set *set, int64_t now_us);

#endif
