/* item_codec.h: items ↔ the JSON text that is both stored and sent.
 *
 * The text is what GetItem returns: {"pk":{"S":"a"},"n":{"N":"1"}}. Decoding accepts what encoding
 * writes: no white space, one spelling of each escape, canonical numbers, sorted sets. Any other
 * text ends the decoding early with an incomplete item; decoding never reads outside the text. */
#pragma once

#include "model/attr.h"

/* Bytes of text written per step of a budget, if an item has many attributes; the caller of the
 * encoder charges them. */
#define ITEM_ENCODED_AT_STEP 4

void item_encode(struct buf *out, const struct item *it);
void attr_encode(struct buf *out, const struct attr *value);

/* The decoded item borrows from `text` where it can and from the arena otherwise. */
struct item item_decode(struct arena *a, struct span text);

/* Like item_decode, for untrusted text: returns false and leaves *out alone if encoding an item
 * would not give this text. */
bool item_decode_checked(struct arena *a, struct span text, struct item *out);

/* Decodes only the top-level attributes whose names are in `names`; other attributes are skipped
 * without allocating. */
struct item item_decode_only(struct arena *a, struct span text, const struct span *names,
                             size_t count);

/* Like item_decode_only, but each value is a string that holds the value's encoded text. */
struct item item_find_texts(struct arena *a, struct span text, const struct span *names,
                            size_t count);
/* Like item_find_texts, for all attributes. */
struct item item_texts(struct arena *a, struct span text);
