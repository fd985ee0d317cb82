/* read_request.h: the members that Query and Scan share: placeholders, filter, projection, Select.
 *
 * The checks are three steps, because the service has other checks in between: first options, then
 * expressions, and checks against the table last. Source:
 * docs/behaviour/query-scan.md. */
#pragma once

#include "ops/read/read_page.h"
#include "wire/wire_attr.h"

/* The shapes of Limit and Select. */
extern const struct wire_shape read_request_limit_shape;
extern const struct wire_shape read_request_select_shape;

struct read_request {
    const char *filter_name; /* legacy parameter: "QueryFilter" or "ScanFilter" */
    bool is_query;

    struct expr_vars vars;
    bool legacy_filter;                       /* the filter comes from QueryFilter or ScanFilter */
    const struct expr_cond *filter;           /* NULL: no filter */
    const struct expr_projection *projection; /* NULL: no projection; may be AttributesToGet */
    enum select select;
    bool has_start;
    struct item start; /* ExclusiveStartKey */
};

/* The layer of value checks of the operation. */
enum wire_layer read_request_layer(const struct read_request *r);

/* Checks mixed styles; reads the legacy filter, AttributesToGet and ExclusiveStartKey's values. */
MUST_CHECK const struct error *read_request_options(struct call *c, struct read_request *r);

/* Checks Select against the projection and the index. */
MUST_CHECK const struct error *read_request_select(struct call *c, struct read_request *r);

/* Reads the placeholders, FilterExpression and ProjectionExpression. */
MUST_CHECK const struct error *read_request_expressions(struct call *c, struct read_request *r);

/* Finds table and index; *ix is NULL without an IndexName. Refuses consistent reads of a GSI, reads
 * of an index that is still being built, and all reads of vector indexes. */
MUST_CHECK const struct error *read_request_target(struct call *c, const struct read_request *r,
                                                   const struct table **t, const struct index **ix);

/* Checks the names in filter and projection against the table or index. */
MUST_CHECK const struct error *read_request_check_names(struct call *c,
                                                        const struct read_request *r,
                                                        const struct table *t,
                                                        const struct index *ix);

/* The page of the request, without its range. */
struct read_page read_request_page(struct call *c, const struct read_request *r,
                                   const struct table *t, const struct index *ix);
