/* capacity.h: the units that a request consumes, per table and index, and how replies tell them.
 *
 * Source: developer guide, "Read and write operations"; docs/behaviour/items.md, "Capacity". */
#ifndef OPS_CAPACITY_H
#define OPS_CAPACITY_H

#include "ops/op.h"

/* What one request consumed on one table. */
struct capacity {
    const struct table *table;
    struct span name; /* as replies show it: the table's name, or the ARN the request used */
    const char *kind; /* transactions: "ReadCapacityUnits" or "WriteCapacityUnits", told beside
                         CapacityUnits; else NULL */
    double table_units;
    double *index_units; /* one for each index of the table */
    bool *index_used;    /* whether the index took part, even with 0 units */
};

void capacity_init(struct capacity *used, struct arena *a, const struct table *t);
/* The account of a table among `count` in a list; where it has none, one is begun at its end under
 * the name that the request uses. */
struct capacity *capacity_among(struct capacity *list, size_t *count, struct arena *a,
                                const struct table *t, struct span name);
/* A new account in the call's arena, or NULL when the request does not ask for it. */
struct capacity *capacity_new(struct call *c, const struct table *t);
void capacity_add_table(struct capacity *used, double units);
void capacity_add_index(struct capacity *used, const struct index *ix, double units);

/* Units of reading or writing so many bytes at once, strongly consistent; at least 1. */
double capacity_read_units(size_t bytes);
double capacity_write_units(size_t bytes);

/* Whether the request asks for ReturnConsumedCapacity TOTAL or INDEXES. */
bool capacity_is_asked(const struct call *c);

/* Writes the member ConsumedCapacity where the request asks for it: one table's, or a list. `used`
 * may be NULL where it does not. */
void capacity_reply(struct call *c, const struct capacity *used);
void capacity_reply_list(struct call *c, const struct capacity *used, size_t count);

/* --- ItemCollectionMetrics -------------------------------------------------------------------- */

/* Whether the request asks for ReturnItemCollectionMetrics SIZE and the table has collections,
 * which is to say an LSI. */
bool capacity_metrics_asked(const struct call *c, const struct table *t);

/* Writes the metrics of the collection that an item or key belongs to: {"ItemCollectionKey": … */
void capacity_put_metrics(struct call *c, const struct table *t, const struct item *key);

/* Writes the member ItemCollectionMetrics of a single write where it is asked for. */
void capacity_reply_metrics(struct call *c, const struct table *t, const struct item *key);

#endif
