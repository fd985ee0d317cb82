/* follower.h: what follows from the write of an item: index entries, times to live, logs, records.
 *
 * Each subject has a follower in its own folder; follower.c lists them in the order in which they
 * act. They act in the unit of work of the write. */
#ifndef OPS_FOLLOWER_H
#define OPS_FOLLOWER_H

#include "ops/op.h"

struct capacity;
struct index_entries;

/* An item before or after a write; item is NULL where there is none. */
struct item_image {
    const struct item *item;
    struct span body; /* as it is stored, which is how replies show it */
    size_t size;
};

/* The write of one item. */
struct item_write {
    const struct table *table;
    const struct store_row *old; /* the item's row before the write, found or not */
    const struct store_row *row; /* the item's row after it; the old one of a deletion */
    struct item_image before, after;
    bool expired;                  /* time to live deletes the item */
    bool replicated;               /* it was made in another region */
    struct capacity *used;         /* gets the units of index entries; may be NULL */
    struct index_entries *entries; /* of ops/index_entries.h, which fills them in */
};

struct follower {
    /* Whether writes to items of the table concern it. */
    bool (*concerns)(const struct table *t);
    const struct error *(*follow)(struct call *c, struct item_write *w);
};

/* Whether anything follows from a write to the table but the item itself. */
bool follower_any(const struct table *t);

/* Runs the followers that the table concerns. */
MUST_CHECK const struct error *follower_run(struct call *c, struct item_write *w);

#endif
