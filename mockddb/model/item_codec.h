/* item_codec.h: items ↔ the JSON text that is both stored and sent.
 *
 * The text is what a GetItem returns: {"pk":{"S":"a"},"n":{"N":"1"}}. Decoding trusts it: it
 * reads only what encoding wrote. */
#ifndef MODEL_ITEM_CODEC_H
#define MODEL_ITEM_CODEC_H

#include "base/buf.h"
#include "model/attr.h"

void item_encode(struct buf *out, const struct item *it);
void attr_encode(struct buf *out, const struct attr *value);

/* The decoded item borrows from `text` where it can and from the arena where it must. */
struct item item_decode(struct arena *a, struct span text);

/* Decodes only the top-level attributes whose names are among `names`; the rest is skipped
 * without building anything. */
struct item item_decode_only(struct arena *a, struct span text, const struct span *names,
                             size_t count);

#endif
