/* pg_key.h: where an entry is in the ordered table: space, slot and key.
 *
 * The slot is the hash of the partition, with its first bit turned, so that signed numbers have its
 * order; the key is the rest of the entry key, shortened where PostgreSQL's index could not take
 * it: a partition part of more than 256 bytes is stored as 00 02, which no key contains, and its
 * SHA-256; of a key that is still too long only the end is, which in an index is the primary key.
 * So partitions stay together, in the order of their sort keys. Such rows have the whole key beside
 * it. */
#pragma once

#include "base/buf.h"

struct pg_place {
    uint32_t space;
    int32_t slot;
    struct span key;
    struct span whole; /* the entry key or bound itself; empty: not known */
    bool is_short;     /* the key is not a part of the whole one */
};

/* The place of an entry, or of a bound of a range, in the arena. `parts`: the attributes of the
 * partition in keys of its space; 0: keys of another form. */
struct pg_place pg_key_place(struct arena *a, unsigned parts, struct span whole);

/* Appends the entry key of a place whose key was not shortened. */
void pg_key_add_whole(struct buf *out, const struct pg_place *p);

int pg_key_compare(const struct pg_place *a, const struct pg_place *b);
