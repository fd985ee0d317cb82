/* siphash.h: a hash of bytes that nobody can aim at without its key.
 *
 * SipHash-2-4 of Aumasson and Bernstein: for tables whose keys come from outside. What must not
 * change from run to run uses base/hash.h. */
#ifndef BASE_SIPHASH_H
#define BASE_SIPHASH_H

#include "base/span.h"

struct siphash_key {
    uint64_t word[2];
};

uint64_t siphash(const struct siphash_key *key, struct span bytes);

/* A new key from the system's randomness; of time and an address where that gives nothing. */
struct siphash_key siphash_random_key(void);

/* Such a key, made once for the whole process: for those who are given none. */
const struct siphash_key *siphash_own_key(void);

#endif
