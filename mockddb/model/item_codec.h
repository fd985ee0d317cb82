/* item_codec.h: items ↔ the JSON text that is both stored and sent.
 *
 * The text is what a GetItem returns: {"pk":{"S":"a"},"n":{"N":"1"}}. Decoding reads what
 * encoding wrote: no white space, one spelling of each escape, numbers canonical, sets sorted.
 * Anything else ends the decoding early, in whatever state; it never reads outside the text. */
#ifndef MODEL_ITEM_CODEC_H
#define MODEL_ITEM_CODEC_H

#include "base/buf.h"
#include "model/attr.h"

/* Bytes of text that are written in a step of a budget, where an item has many attributes; to be
 * charged by whoever encodes. */
#define ITEM_ENCODED_AT_STEP 4

void item_encode(struct buf *out, const struct item *it);
void attr_encode(struct buf *out, const struct attr *value);

/* The decoded item borrows from `text` where it can and from the arena where it must. */
struct item item_decode(struct arena *a, struct span text);

/* The same for text that anybody may have written: false, and *out left alone, when it is not what
 * encoding an item gives. */
bool item_decode_checked(struct arena *a, struct span text, struct item *out);

/* Decodes only the top-level attributes whose names are among `names`; the rest is skipped
 * without building anything. */
struct item item_decode_only(struct arena *a, struct span text, const struct span *names,
                             size_t count);

/* The same attributes, but each value is a string that holds its text as it stands. */
struct item item_find_texts(struct arena *a, struct span text, const struct span *names,
                            size_t count);
/* The same of all attributes. */
struct item item_texts(struct arena *a, struct span text);

#endif
