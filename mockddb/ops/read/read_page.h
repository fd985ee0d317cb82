/* read_page.h: one page of a Query, a Scan or a SELECT, from ranges of keys to the reply.
 *
 * Source: developer guide, "Paginating query results"; docs/behaviour/query-scan.md. */
#pragma once

#include "expr/expr.h"
#include "ops/capacity.h"
#include "store/cursor.h"

struct read_page {
    const struct table *table;
    const struct index *index; /* NULL: the table itself */
    struct store_range range;
    int64_t limit; /* items to evaluate; 0: no limit */
    bool consistent;
    bool count_only;  /* Select COUNT */
    bool whole_items; /* return whole items even if the index has less of them (LSI) */
    const struct expr_cond *filter;           /* NULL: every item matches */
    const struct expr_projection *projection; /* NULL: all attributes of the table or index */
    const struct span *columns; /* the output name of each path of the projection; NULL: nested,
                                   like a ProjectionExpression */
};

/* Writes Items, Count, ScannedCount, LastEvaluatedKey and ConsumedCapacity. */
MUST_CHECK const struct error *read_page(struct call *c, const struct read_page *page);

/* --- in steps, for what is read from several ranges ------------------------------------------ */

struct reading;

/* How a page ended. */
struct read_end {
    bool more;              /* it ended by its limit or size, not with the last range */
    struct span key;        /* of the last entry, if `more` */
    int64_t count, scanned; /* items that matched; items that were evaluated */
};

/* Begins to write Items. The page is borrowed until read_page_finish; its range is not used. */
struct reading *read_page_begin(struct call *c, const struct read_page *page);
/* Adds the items of a range; once the page has ended, *ended is true. */
MUST_CHECK const struct error *read_page_range(struct reading *r, const struct store_range *range,
                                               bool *ended);
void read_page_finish(struct reading *r, struct read_end *out);

/* The result of `SELECT paths` for an item: each path's value under its column's name. If names
 * repeat, the last value counts. it may be NULL. */
struct item read_page_columns(struct arena *a, const struct expr_projection *p,
                              const struct span *columns, const struct item *it);
