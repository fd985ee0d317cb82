/* export_filter.h: FilterSpecification: which items an export writes, and what of them.
 *
 * Its expressions are those of Scan, or of Query where there is a KeyConditionExpression, with
 * their checks and messages. Source: API reference, FilterSpecification;
 * docs/behaviour/transfer.md. */
#ifndef OPS_EXPORT_FILTER_H
#define OPS_EXPORT_FILTER_H

#include "ops/read/read_plan.h"

extern const struct wire_shape export_filter_shape;

/* `spec` NULL: everything. Of the table of that name, in whose own space the range is. */
MUST_CHECK const struct error *export_filter_read(struct call *c, const wire_node *spec,
                                                  struct span table, struct read_page *out);

/* Whether the item is written; *shown is what of it. */
bool export_filter_passes(const struct read_page *filter, const struct item *it);
struct item export_filter_project(struct call *c, const struct read_page *filter,
                                  const struct item *it);

#endif
