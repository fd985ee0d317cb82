/* export_filter.h: FilterSpecification: which items an export writes, and which attributes.
 *
 * It has the expressions of Scan, or of Query if there is a KeyConditionExpression, with the same
 * checks and messages. Source: API reference, FilterSpecification;
 * docs/behaviour/transfer.md. */
#pragma once

#include "ops/read/read_plan.h"

extern const struct wire_shape export_filter_shape;

/* Reads a specification for the table (NULL: all items). out->range is in the table's space. */
MUST_CHECK const struct error *export_filter_read(struct call *c, const wire_node *spec,
                                                  struct span table, struct read_page *out);

/* Whether the export writes the item, and the part of it that it writes. */
bool export_filter_passes(const struct read_page *filter, const struct item *it);
struct item export_filter_project(struct call *c, const struct read_page *filter,
                                  const struct item *it);
