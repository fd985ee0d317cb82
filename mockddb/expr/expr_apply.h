/* expr_apply.h: runs an update on an item. */
#pragma once

#include "expr/expr_update.h"

/* Applies the update to a copy of `old` (the item as it was; for a new item its key attributes).
 * *out shares unchanged parts with `old` and with the placeholders' values. Errors change nothing
 * and are bare. */
MUST_CHECK const struct error *expr_apply(struct arena *a, const struct expr_update *u,
                                          const struct item *old, struct item *out);

/* The item that UPDATED_OLD and UPDATED_NEW return: the parts of `it` at the update's targets. it
 * may be NULL. An empty result has len 0. */
struct item expr_updated_part(struct arena *a, const struct expr_update *u, const struct item *it);
