/* siphash.h: a keyed hash: collisions cannot be constructed without the key.
 *
 * SipHash-2-4 of Aumasson and Bernstein: for tables whose keys come from clients. For hashes that
 * must stay the same from run to run use base/hash.h. */
#pragma once

#include "base/arena.h"

struct siphash_key {
    uint64_t word[2];
};

uint64_t siphash(const struct siphash_key *key, struct span bytes);

/* Finds equal names in an array: a slot holds the number of a name, counted from 1, or 0. */
struct siphash_table {
    const struct siphash_key *key; /* borrowed */
    uint32_t *slots;
    size_t mask;
};

/* For at most `count` names. */
struct siphash_table siphash_table_new(struct arena *a, const struct siphash_key *key,
                                       size_t count);

/* Returns the slot of `name`; name_at(names, i) is the name with the number i + 1. */
static inline uint32_t *siphash_table_slot(const struct siphash_table *t, struct span name,
                                           struct span (*name_at)(const void *names, size_t i),
                                           const void *names)
{
    size_t slot = (size_t)siphash(t->key, name) & t->mask;

    while (t->slots[slot] && !span_equal(name_at(names, t->slots[slot] - 1), name))
        slot = (slot + 1) & t->mask;
    return &t->slots[slot];
}

/* A new key from the system's randomness or, if that fails, from the time and an address. */
struct siphash_key siphash_random_key(void);

/* A key made once for the whole process, for callers that are given none. */
const struct siphash_key *siphash_own_key(void);
