/* read_page.h: one page of a Query or Scan, from a range of keys to the reply.
 *
 * Source: developer guide, "Paginating query results"; docs/behaviour/query-scan.md. */
#ifndef OPS_READ_PAGE_H
#define OPS_READ_PAGE_H

#include "expr/expr.h"
#include "ops/capacity.h"
#include "ops/op.h"

#define READ_PAGE_BYTES ((size_t)1024 * 1024) /* of evaluated items, before filter */

struct read_page {
    const struct table *table;
    const struct index *index; /* NULL: the table itself */
    struct store_range range;
    int64_t limit; /* items to evaluate; 0: no limit */
    bool consistent;
    bool count_only;  /* Select COUNT */
    bool whole_items; /* show all of an item even if the index holds less of it (LSI) */
    const struct expr_cond *filter;           /* NULL: every item matches */
    const struct expr_projection *projection; /* NULL: all that the table or index holds */
};

/* Writes Items, Count, ScannedCount, LastEvaluatedKey and ConsumedCapacity. */
MUST_CHECK const struct error *read_page(struct call *c, const struct read_page *page);

/* Top-level names, each once, in the order of first use. */
struct name_list {
    struct span *at;
    size_t len;
};
struct name_list read_projected_names(struct arena *a, const struct expr_projection *p);

#endif
