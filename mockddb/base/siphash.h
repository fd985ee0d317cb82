/* siphash.h: a keyed hash: collisions cannot be constructed without the key.
 *
 * SipHash-2-4 of Aumasson and Bernstein: for tables whose keys come from clients. For hashes that
 * must stay the same from run to run use base/hash.h. */
#pragma once

#include "base/span.h"

struct siphash_key {
    uint64_t word[2];
};

uint64_t siphash(const struct siphash_key *key, struct span bytes);

/* A new key from the system's randomness or, if that fails, from the time and an address. */
struct siphash_key siphash_random_key(void);

/* A key made once for the whole process, for callers that are given none. */
const struct siphash_key *siphash_own_key(void);
