/* moving_load.h: puts items into a table, in batches, and deletes those that are gone; reports
 * which of them were refused.
 *
 * Items with one key arrive in the order in which they were given: they have one lane, and a batch
 * has each key once. */
#ifndef MOVING_MOVING_LOAD_H
#define MOVING_MOVING_LOAD_H

#include "moving/moving_door.h"
#include "moving/moving_pace.h"
#include "moving/moving_report.h"

struct moving_load;

/* Everything is borrowed; `keys` are the attributes of the table's key. */
struct moving_load *moving_load_new(struct moving_door *door, struct span table,
                                    const struct span *keys, size_t key_count,
                                    struct moving_report *report);
void moving_load_free(struct moving_load *l); /* l may be NULL */

/* How fast items go; borrowed, NULL as at the beginning: as fast as can be. */
void moving_load_set_pace(struct moving_load *l, struct moving_pace *pace);

/* Items whose number in this attribute is over at a moment are counted as expired. Borrowed. */
void moving_load_set_ttl(struct moving_load *l, struct span attribute, int64_t now_ms);

struct moving_item {
    const wire_node *node; /* the item, for its key */
    struct span json;      /* as it is sent */
    bool gone;             /* it is the key of one that is to be deleted */
    const char *file;      /* where it comes from, for the report */
    size_t line;
    struct span text;
};

/* NULL, or why nothing more can be put. What is refused by itself is in the report only. */
MUST_CHECK const char *moving_load_put(struct moving_load *l, struct arena *a,
                                       const struct moving_item *item);

/* Sends what waits, and makes it last. */
MUST_CHECK const char *moving_load_end(struct moving_load *l, struct arena *a);

#endif
