/* change.h: the one way in which a stored item comes to be, changes and goes.
 *
 * Begin reads what is stored at a key; put and delete write the item and every index entry that
 * follows from it, and add up the units they cost. Whoever changes items comes through here:
 * single writes, batches, transactions, PartiQL, expiry. A change that leaves the item as it was
 * writes nothing. The caller has checked the item (ops/key_check.h, sizes, nesting). */
#ifndef OPS_CHANGE_H
#define OPS_CHANGE_H

#include "ops/capacity.h"

struct change {
    const struct table *table;
    struct store_row old; /* in the table's own space; its body is the item as replies show it */
    size_t old_charge; /* what a write is charged for the item that is stored; 0: there is none */
    bool expired;      /* set by the caller: time to live is what deletes the item */
    bool replicated;   /* set by the caller: it was made in another region, and is there */
    const struct item *image; /* change_old's; NULL until asked for */
    struct span body;         /* after change_put: the item as replies show it */
};

/* Reads the item that has the key attributes of `key` (a Key parameter or a whole item). */
MUST_CHECK const struct error *change_begin(struct call *c, const struct table *t,
                                            const struct item *key, struct change *out);

/* The same for the entry key of an item. */
MUST_CHECK const struct error *change_begin_at(struct call *c, const struct table *t,
                                               struct span key, struct change *out);

/* The stored item, decoded on first use; NULL when there is none. */
const struct item *change_old(struct call *c, struct change *ch);

/* Where there is no throughput for it (ops/throttle), or no room in its collection
 * (ops/collection.h), nothing is done, and the error says so. Makes `it` the stored item, or takes
 * the stored item out (no item: nothing to do). `used` gets the units and may be NULL. */
MUST_CHECK const struct error *change_put(struct call *c, struct change *ch, const struct item *it,
                                          struct capacity *used);
MUST_CHECK const struct error *change_delete(struct call *c, struct change *ch,
                                             struct capacity *used);

/* Leaves the item, or its absence, as it is; it costs what a write costs. `used` may be NULL. */
void change_keep(const struct change *ch, struct capacity *used);

#endif
