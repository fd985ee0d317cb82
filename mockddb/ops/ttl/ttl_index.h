/* ttl_index.h: the items of a table in the order of their expiry.
 *
 * Each table with time to live has this index, a space of the store, with an entry for each item
 * whose attribute is a number of seconds. Each change updates it (ops/change.c). Items that exist
 * when it is made are added between requests (jobs/job_backfill.c), like for a secondary index.
 *
 *   entry key = space (4 bytes) | second since 1970 (8 bytes, big-endian) | the item's key in the
 *               table without its space
 *
 * Source: developer guide, "Using time to live (TTL)"; docs/behaviour/tables.md. */
#pragma once

#include "ops/op.h"
#include "store/cursor.h"

/* --- settings of a table ---------------------------------------------------------------------- */

/* Turn time to live of a draft on and off; need a unit of work. */
MUST_CHECK const struct error *ttl_index_enable(struct call *c, struct table *draft,
                                                struct span attribute);
MUST_CHECK const struct error *ttl_index_disable(struct call *c, struct table *draft);

/* Whether items of the table expire now: not while it is CREATING or DELETING. */
bool ttl_index_expires(const struct table *t);

/* How long after its time to live an item is deleted: at the end of its second, or after the
 * sweep's lag if that is more; 0: never. */
int64_t ttl_index_lag_ms(const struct settings *s);

/* --- upkeep ----------------------------------------------------------------------------------- */

/* Appends the key of the item's entry; `item_key` is the item's own key. False if the item has no
 * entry, or the backfill has not reached it. */
bool ttl_index_covers(struct buf *out, const struct table *t, const struct item *it,
                      struct span item_key);

/* Whether the table needs a backfill, and one slice of it, in a unit of work. Tables of files from
 * before this index get it here. */
bool ttl_index_needs_backfill(const struct table *t);
MUST_CHECK const struct error *ttl_index_backfill(struct call *c, struct span name);

/* --- reading ---------------------------------------------------------------------------------- */

/* The range of entries that are at most five years old, without bodies. */
struct store_range ttl_index_range(struct call *c, const struct table *t);
/* When the item of an entry must be deleted. */
int64_t ttl_index_due_ms(const struct call *c, struct span entry);
/* The key of an entry's item, in the table's space. */
struct span ttl_index_item_key(struct call *c, const struct table *t, struct span entry);
