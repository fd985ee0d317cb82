/* read_request.h: what Query and Scan ask for alike: placeholders, filter, projection, Select.
 *
 * The checks come in three steps, because the service makes others in between: options before
 * expressions, expressions before the table is known, and the schema's say at the end. Source:
 * docs/behaviour/query-scan.md. */
#ifndef OPS_READ_REQUEST_H
#define OPS_READ_REQUEST_H

#include "expr/expr.h"
#include "ops/op.h"
#include "ops/read/read_page.h"
#include "wire/wire_attr.h"

/* Limit and Select, as both declare them. */
extern const struct wire_shape read_request_limit_shape;
extern const struct wire_shape read_request_select_shape;

struct read_request {
    const char *filter_name; /* legacy parameter: "QueryFilter" or "ScanFilter" */
    bool is_query;

    struct expr_vars vars;
    bool legacy_filter;                       /* the filter comes from QueryFilter or ScanFilter */
    const struct expr_cond *filter;           /* NULL: none */
    const struct expr_projection *projection; /* NULL: none; AttributesToGet counts as one */
    enum select select;
    bool has_start;
    struct item start; /* ExclusiveStartKey */
};

/* The value checker that the operation runs. */
enum wire_layer read_request_layer(const struct read_request *r);

/* Mixing of parameter styles, legacy filter, AttributesToGet, ExclusiveStartKey's values. */
MUST_CHECK const struct error *read_request_options(struct call *c, struct read_request *r);

/* Select against the projection and the index that were asked for. */
MUST_CHECK const struct error *read_request_select(struct call *c, struct read_request *r);

/* The maps of placeholders, FilterExpression and ProjectionExpression. */
MUST_CHECK const struct error *read_request_expressions(struct call *c, struct read_request *r);

/* Table and index by name; *ix is NULL when none was asked for. Consistent reads of a GSI and
 * reads of an index that is still being built are refused, and of vector indexes all. */
MUST_CHECK const struct error *read_request_target(struct call *c, const struct read_request *r,
                                                   const struct table **t, const struct index **ix);

/* What filter and projection may name on this table or index. */
MUST_CHECK const struct error *read_request_check_names(struct call *c,
                                                        const struct read_request *r,
                                                        const struct table *t,
                                                        const struct index *ix);

/* The page that the request asks for, except for its range. */
struct read_page read_request_page(struct call *c, const struct read_request *r,
                                   const struct table *t, const struct index *ix);

#endif
