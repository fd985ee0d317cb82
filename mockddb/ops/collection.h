/* collection.h: item collections: all items of a table that has local indexes with one partition
 * key, and their entries in those indexes.
 *
 * Their sizes are added up when they are asked for, and only where the server has a limit for them
 * (--item-collection-limit): a write then reads the sizes in its collection. Source: developer
 * guide, "Item collections in Local Secondary Indexes". */
#ifndef OPS_COLLECTION_H
#define OPS_COLLECTION_H

#include "ops/op.h"

/* "Collection size exceeded." */
extern const char collection_exceeded[];

/* Whether the table has collections, and there is a limit for them. */
bool collection_is_limited(const struct call *c, const struct table *t);

/* Whether the collection of an item may grow by so many bytes:
 * ItemCollectionSizeLimitExceededException. What does not grow always may. */
MUST_CHECK const struct error *collection_check(struct call *c, const struct table *t,
                                                const struct item *it, int64_t growth);

/* --- ItemCollectionMetrics -------------------------------------------------------------------- */

/* Whether the request asks for ReturnItemCollectionMetrics SIZE and the table has collections. */
bool collection_metrics_asked(const struct call *c, const struct table *t);

/* Writes the metrics of the collection that an item or key belongs to: {"ItemCollectionKey": … */
MUST_CHECK const struct error *collection_put_metrics(struct call *c, const struct table *t,
                                                      const struct item *key);

/* Writes the member ItemCollectionMetrics of a single write where it is asked for. */
MUST_CHECK const struct error *collection_reply_metrics(struct call *c, const struct table *t,
                                                        const struct item *key);

#endif
