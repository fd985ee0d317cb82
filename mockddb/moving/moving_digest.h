/* moving_digest.h: how many items were moved, and a digest of them that equal items have in any
 * order, whatever store or file they are in.
 *
 * The digest is the sum of the items' SHA-256 (the first 16 bytes, as two words that are added on
 * their own). An item is hashed in its stored form with its attributes in byte order of their
 * names, in maps as well; numbers are canonical there, and sets are sorted. */
#pragma once

#include "wire/wire_body.h"

struct moving_digest {
    uint64_t items;
    uint64_t words[2];
};

/* Computes the digest of one item in the form of requests; `scratch` is used for its values.
 * Returns false if it is not an item. */
MUST_CHECK bool moving_digest_of(struct arena *scratch, const wire_node *item,
                                 struct moving_digest *out);

/* Adds the digest of other items. */
void moving_digest_add(struct moving_digest *sum, const struct moving_digest *other);
bool moving_digest_equal(const struct moving_digest *a, const struct moving_digest *b);

/* The digest without the number of items, as 32 hexadecimal digits … */
const char *moving_digest_text(struct arena *a, const struct moving_digest *d);
/* … and read from them; any other text is a digest of 0. */
void moving_digest_read(struct span text, struct moving_digest *out);
