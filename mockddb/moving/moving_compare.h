/* moving_compare.h: reads items back from the table that they were put into, and compares them with
 * what was sent. Only their keys are read, so other items of the table do not matter. */
#pragma once

#include "client/client.h"
#include "moving/moving_digest.h"

/* An item that the table has accepted. Items that are compared together have different keys. */
struct moving_sent {
    struct span key; /* as JSON */
    struct moving_digest digest;
    bool gone;        /* it was deleted */
    bool may_be_gone; /* its time to live is over, so the table may have deleted it */
    bool is_found;    /* set by moving_compare */
};

/* The table, by its name and the names of its key attributes; borrowed. */
struct moving_compare {
    struct client *client;
    struct span table;
    const struct span *keys;
    size_t key_count;
};

/* The key of an item, as JSON in the arena. */
struct span moving_compare_key(struct arena *a, const struct moving_compare *c,
                               const wire_node *item);

/* Reads the items back and adds those that were found to *sum. Returns NULL if the table has them
 * as they were sent, else the first difference, with the table and the item's key, or why they
 * cannot be read. */
MUST_CHECK const char *moving_compare_sent(struct arena *a, const struct moving_compare *c,
                                           struct moving_sent *sent, size_t count,
                                           struct moving_digest *sum);
