/* read_index.h: which attributes a read names, and which of them an index has.
 *
 * Source: developer guide, "Attribute projections"; docs/behaviour/query-scan.md. */
#pragma once

#include "expr/expr.h"
#include "ops/op.h"

/* Top-level names, each once, in the order of first use. */
struct name_list {
    struct span *at;
    size_t len;
};

/* The first names of a projection's paths. */
struct name_list read_index_projected(struct arena *a, const struct expr_projection *p);

/* All attributes of an INCLUDE or KEYS_ONLY index. */
struct name_list read_index_names(struct arena *a, const struct table *t, const struct index *ix);

/* Whether the index has all of the names. */
bool read_index_holds(const struct table *t, const struct index *ix, const struct name_list *names);

/* Drops the names that the index does not have. */
void read_index_drop(const struct table *t, const struct index *ix, struct name_list *names);

/* "Scan operation not supported on this index type": for vector indexes. */
MUST_CHECK const struct error *read_index_no_scan(struct arena *a);

/* "Cannot read from backfilling global secondary index" */
MUST_CHECK const struct error *read_index_check_built(struct arena *a, const struct index *ix);

/* "Global secondary index … does not project [names]"; an LSI fetches them from the table. */
MUST_CHECK const struct error *read_index_check_projection(struct arena *a, const struct table *t,
                                                           const struct index *ix,
                                                           const struct expr_projection *p);

/* "Secondary index … does not project one or more filter attributes: [names]" */
MUST_CHECK const struct error *read_index_check_filter(struct arena *a, const struct table *t,
                                                       const struct index *ix,
                                                       const struct name_list *names);
