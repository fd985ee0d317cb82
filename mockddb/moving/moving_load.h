/* moving_load.h: puts items into a table in batches, deletes items, and reports which were refused.
 *
 * Items with the same key arrive in the order in which they were given: they use one lane, and a
 * batch has each key once. */
#pragma once

#include "client/client.h"
#include "moving/moving_report.h"

struct moving_load;

/* Everything is borrowed; `keys` are the attributes of the table's key. Without them (key_count 0,
 * only in this process) the items' nodes are not needed, and nothing is known about an item that is
 * not JSON before it is refused. */
struct moving_load *moving_load_new(struct client *client, struct span table,
                                    const struct span *keys, size_t key_count,
                                    struct moving_report *report);
void moving_load_free(struct moving_load *l); /* l may be NULL */

/* Limits the speed; borrowed. NULL, the default: no limit. */
void moving_load_set_pace(struct moving_load *l, struct client_pace *pace);

/* Counts items as expired if this attribute is a time before now_ms. Borrowed. */
void moving_load_set_ttl(struct moving_load *l, struct span attribute, int64_t now_ms);

struct moving_item {
    const wire_node *node; /* the item; its key is read from it; NULL: the load has no keys */
    struct span json;      /* the JSON to send */
    bool gone;             /* it is the key of an item to delete */
    const char *file;      /* its origin, for the report */
    size_t line;
    struct span text;
};

/* Returns NULL, or why nothing more can be put. The refusal of a single item is only in the
 * report. */
MUST_CHECK const char *moving_load_put(struct moving_load *l, struct arena *a,
                                       const struct moving_item *item);

/* Sends the waiting items, and makes the writes durable. */
MUST_CHECK const char *moving_load_end(struct moving_load *l, struct arena *a);
