/* follower.h: the effects of a write of an item: index entries, times to live, logs, records.
 *
 * Each effect is a follower in its own folder; follower.c lists them in the order of their calls.
 * They work in the unit of the write. */
#pragma once

#include "ops/op.h"

struct capacity;
struct index_entries;

/* An item before or after a write; item is NULL if there is no item. */
struct item_image {
    const struct item *item;
    struct span body; /* the stored form, which is also the form of replies */
    size_t size;
};

/* The write of one item. */
struct item_write {
    const struct table *table;
    const struct store_row *old; /* the item's row before the write, found or not */
    const struct store_row *row; /* its row after the write; for a deletion the old row */
    struct item_image before, after;
    bool expired;                  /* time to live deletes the item */
    bool replicated;               /* it comes from another region */
    struct capacity *used;         /* gets the units of index entries; may be NULL */
    struct index_entries *entries; /* filled in by ops/index_entries.h */
};

struct follower {
    /* Whether it follows writes to items of the table. */
    bool (*concerns)(const struct table *t);
    const struct error *(*follow)(struct call *c, struct item_write *w);
};

/* Whether any follower follows writes to the table. */
bool follower_any(const struct table *t);

/* Calls the followers of the table. */
MUST_CHECK const struct error *follower_run(struct call *c, struct item_write *w);
