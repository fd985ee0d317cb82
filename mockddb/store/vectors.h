/* vectors.h: the vectors of spaces, packed in memory for searches.
 *
 * There is a set for an index's space, with a row for each entry: its floats and a label of a few
 * bytes. Sets are not stored, but built from the entries: the first search begins one, fills it a
 * slice at a time, and from then on the writers of entries note their keys. The next search reads
 * the noted entries again. So undoing a unit needs nothing here, and a store that is opened or
 * copied has no sets. The searcher (ops/vector/) knows the meaning of floats and labels. */
#pragma once

#include "base/siphash.h"

struct vector_set;

/* All sets of a store: store_vectors in store/store.h. */
struct vectors {
    struct vector_set *sets;
    struct vector_set *outdated; /* freed when the next one begins */
};

void vectors_free(struct vectors *all);
/* Makes all sets invalid. A search in progress keeps its set's memory. */
void vectors_outdate(struct vectors *all);
/* Removes the set of a dropped space. */
void vectors_drop(struct vectors *all, uint32_t space);

/* Returns the set of a space, or NULL; makes a set whose rows have `floats` floats, for a space
 * without one. The hash key protects against keys chosen by clients. */
struct vector_set *vectors_find(const struct vectors *all, uint32_t space);
struct vector_set *vectors_begin(struct vectors *all, uint32_t space, size_t floats,
                                 const struct siphash_key *key);

/* Notes that the entry with this key has changed, or may have; does nothing if the space has no
 * set. A set with more notes than rows is given up: filling it again is faster. */
void vectors_note(struct vectors *all, uint32_t space, struct span key);

/* --- filling ---------------------------------------------------------------------------------- */

/* The key of the last entry that was read for it, "" for none, and whether it was the last entry of
 * all. */
struct span vectors_position(const struct vector_set *set);
bool vectors_is_filled(const struct vector_set *set);
void vectors_set_position(struct vector_set *set, struct span key);
void vectors_set_filled(struct vector_set *set);

/* Returns the key that was noted last; removes it after its entry was read. Returns false if there
 * are no notes. The bytes are borrowed until the next note. */
bool vectors_last_note(const struct vector_set *set, struct span *key);
void vectors_drop_note(struct vector_set *set);

/* --- rows ------------------------------------------------------------------------------------- */

struct vector_row {
    const float *at;
    double norm;       /* as given to vectors_put */
    struct span key;   /* of the entry */
    struct span label; /* as given to vectors_put */
};

/* Replaces the row with this key, or adds one; removes a row, if it exists. */
void vectors_put(struct vector_set *set, const struct vector_row *row);
void vectors_remove(struct vector_set *set, struct span key);

size_t vectors_count(const struct vector_set *set);
/* Rows are in no particular order; a row stays in place as long as none is removed. */
struct vector_row vectors_row(const struct vector_set *set, size_t i);
size_t vectors_bytes(const struct vector_set *set); /* size of all floats */

/* --- searches that take several turns --------------------------------------------------------- */

#define VECTORS_HITS 100

struct vector_hit {
    float score;
    uint32_t row;
};

/* The progress of a search: nearest first. */
struct vector_search {
    uint64_t id;
    int64_t used_us; /* when it last continued */
    size_t next;     /* the first row that it has not read */
    size_t count;
    struct vector_hit hits[VECTORS_HITS];
};

/* Returns the search in progress with this id, or a new one. If there are too many, the one that
 * has waited longest is restarted. */
struct vector_search *vectors_search(struct vector_set *set, uint64_t id, int64_t now_us);
void vectors_end_search(struct vector_set *set, uint64_t id);

/* Whether searches are in progress: then no rows may be removed, and notes wait. A search that
 * has not continued for seconds is ignored. */
bool vectors_is_searched(struct vector_set *set, int64_t now_us);
