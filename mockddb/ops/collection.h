/* collection.h: item collections: the items of a table with local indexes that have one partition
 * key value, and their entries in local indexes.
 *
 * Sizes are added up on demand, and only if the server has a limit (--item-collection-limit). Each
 * write then reads the sizes in its collection. Source: developer
 * guide, "Item collections in Local Secondary Indexes". */
#pragma once

#include "ops/op.h"

/* "Collection size exceeded." */
extern const char collection_exceeded[];

/* Whether the table has collections and the server has a limit for them. */
bool collection_is_limited(const struct call *c, const struct table *t);

/* Fails with ItemCollectionSizeLimitExceededException if the item's collection may not grow by
 * `growth` bytes. Never fails if growth is 0 or negative. */
MUST_CHECK const struct error *collection_check(struct call *c, const struct table *t,
                                                const struct item *it, int64_t growth);

/* --- ItemCollectionMetrics -------------------------------------------------------------------- */

/* Whether the request asks for ReturnItemCollectionMetrics SIZE and the table has collections. */
bool collection_metrics_asked(const struct call *c, const struct table *t);

/* Writes the metrics of the collection of an item or key: {"ItemCollectionKey": … */
MUST_CHECK const struct error *collection_put_metrics(struct call *c, const struct table *t,
                                                      const struct item *key);

/* Writes ItemCollectionMetrics of a single write if the request asks for it. */
MUST_CHECK const struct error *collection_reply_metrics(struct call *c, const struct table *t,
                                                        const struct item *key);
