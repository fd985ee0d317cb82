/* read_page.h: one page of a Query, a Scan or a SELECT, from ranges of keys to the reply.
 *
 * Source: developer guide, "Paginating query results"; docs/behaviour/query-scan.md. */
#ifndef OPS_READ_PAGE_H
#define OPS_READ_PAGE_H

#include "expr/expr.h"
#include "ops/capacity.h"
#include "ops/op.h"
#include "store/cursor.h"

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
    const struct span *columns; /* what each path of the projection is shown as; NULL: as an
                                   expression does, nested as it is stored */
};

/* Writes Items, Count, ScannedCount, LastEvaluatedKey and ConsumedCapacity. */
MUST_CHECK const struct error *read_page(struct call *c, const struct read_page *page);

/* --- in steps, for what is read from several ranges ------------------------------------------ */

struct reading;

/* How a page ended. */
struct read_end {
    bool more;              /* by its limit or its size, not with the range read last */
    struct span key;        /* of the entry that was read last, where `more` */
    int64_t count, scanned; /* items that matched; items that were evaluated */
};

/* Writes Items, unfinished; the page, whose own range is not looked at, must stay where it is. */
struct reading *read_page_begin(struct call *c, const struct read_page *page);
/* Adds the items of a range; once the page has ended, *ended is true. */
MUST_CHECK const struct error *read_page_range(struct reading *r, const struct store_range *range,
                                               bool *ended);
void read_page_finish(struct reading *r, struct read_end *out);

/* What `SELECT paths` shows of an item: each path's value under its column's name, the last one
 * where names repeat. it may be NULL. */
struct item read_page_columns(struct arena *a, const struct expr_projection *p,
                              const struct span *columns, const struct item *it);

#endif
