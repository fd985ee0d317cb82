/* change.h: the only way to create, change and delete stored items.
 *
 * Begin reads the item at a key; put and delete write the item and all that follows from it, and
 * add up the units. All writes of items use it: single writes, batches, transactions, PartiQL,
 * expiry. A change that leaves the item equal writes nothing. The caller has checked the item
 * (ops/key_check.h, sizes, nesting). */
#pragma once

#include "ops/capacity.h"

struct change {
    const struct table *table;
    struct store_row old;     /* in the table's space; its body has the form of replies */
    size_t old_charge;        /* the stored item's size for charging a write; 0: no item */
    bool expired;             /* set by the caller: time to live deletes the item */
    bool replicated;          /* set by the caller: the change comes from another region */
    const struct item *image; /* for change_old; NULL until its first use */
    struct span body;         /* after change_put: the item in the form of replies */
};

/* Reads the item with the key attributes of `key` (a Key parameter or a whole item). */
MUST_CHECK const struct error *change_begin(struct call *c, const struct table *t,
                                            const struct item *key, struct change *out);

/* Like change_begin, for the entry key of an item. */
MUST_CHECK const struct error *change_begin_at(struct call *c, const struct table *t,
                                               struct span key, struct change *out);

/* Returns the stored item, decoded at its first use; NULL if there is no item. */
const struct item *change_old(struct call *c, struct change *ch);

/* Store `it`, or delete the stored item, if any. `used` gets the units and may be NULL. Without
 * throughput (ops/throttle), or room in the item's collection (ops/collection.h), they fail and do
 * nothing. */
MUST_CHECK const struct error *change_put(struct call *c, struct change *ch, const struct item *it,
                                          struct capacity *used);
MUST_CHECK const struct error *change_delete(struct call *c, struct change *ch,
                                             struct capacity *used);

/* Charges a write that changes nothing, with or without an item. `used` may be NULL. */
void change_keep(const struct change *ch, struct capacity *used);
