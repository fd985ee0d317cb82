/* ttl_index.h: the items of a table in the order in which they expire.
 *
 * A space of the store, for tables with time to live only: an entry for each item whose attribute
 * is a number of seconds, kept up by every change (ops/change.c) and filled between requests where
 * there were items before (jobs/job_backfill.c), as a secondary index is.
 *
 *   entry key = space (4 bytes) | second since 1970 (8 bytes, big-endian) | the item's key in the
 *               table without its space
 *
 * Source: developer guide, "Using time to live (TTL)"; docs/behaviour/tables.md. */
#ifndef OPS_TTL_INDEX_H
#define OPS_TTL_INDEX_H

#include "ops/op_wake.h"
#include "store/cursor.h"

/* --- settings of a table ---------------------------------------------------------------------- */

/* Switches time to live of a draft on and off; needs a unit of work. */
MUST_CHECK const struct error *ttl_index_enable(struct call *c, struct table *draft,
                                                struct span attribute);
MUST_CHECK const struct error *ttl_index_disable(struct call *c, struct table *draft);

/* Whether items are to be looked for in the table: not before it is made, nor while it goes. */
bool ttl_index_expires(const struct table *t);

/* --- upkeep ----------------------------------------------------------------------------------- */

/* What a change of an item means for the order; either image may be NULL, `old` and `owner` are the
 * item's row before and after it. Of tables with a ttl_space only. */
MUST_CHECK const struct error *ttl_index_follow(struct call *c, const struct table *t,
                                                const struct item *before, const struct item *after,
                                                const struct store_row *old,
                                                const struct store_row *owner);

/* Appends the key of the entry that the order has of an item, whose own key is `item_key`; false
 * where it has none, or does not reach so far yet. */
bool ttl_index_covers(struct buf *out, const struct table *t, const struct item *it,
                      struct span item_key);

/* Whether items of the table wait for a slice; one slice, in a unit of work. Tables of files that
 * are older than the order get it here. */
bool ttl_index_needs_backfill(const struct table *t);
MUST_CHECK const struct error *ttl_index_backfill(struct call *c, struct span name);

/* --- reading ---------------------------------------------------------------------------------- */

/* All entries that are not more than five years old, without bodies. */
struct store_range ttl_index_range(struct call *c, const struct table *t);
/* When the item of an entry is to go. */
int64_t ttl_index_due_ms(const struct call *c, struct span entry);
/* Its key in the table's own space. */
struct span ttl_index_item_key(struct call *c, const struct table *t, struct span entry);

#endif
