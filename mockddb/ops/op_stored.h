/* op_stored.h: stored items in replies. */
#pragma once

#include "expr/expr.h"
#include "ops/change.h"

/* Writes "Attributes" with the old item, if the request asks for ALL_OLD and there was an item. */
void op_stored_reply_old(struct call *c, const struct change *ch);

/* Reads an item for a reply. A disturbance may give eventually consistent reads an old item. */
MUST_CHECK const struct error *op_stored_get(struct call *c, struct span key, bool consistent,
                                             struct store_row *row);

/* Writes an item and charges the work. */
void op_stored_put_item(struct call *c, const struct item *it);

/* Writes an item whose values are attributes' texts (model/item_codec.h). */
void op_stored_put_texts(struct call *c, const struct item *texts);

/* Writes a stored item, or its projection (len 0: the whole item). */
void op_stored_put(struct call *c, struct span body, const struct expr_projection *p);
