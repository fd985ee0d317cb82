/* table_resource.h: the ResourceArn of operations on tags and policies: the ARN of a table or
 * stream.
 *
 * Source: docs/behaviour/tables.md, "Tags". */
#pragma once

#include "ops/table/table_arn.h"

extern const struct wire_shape table_resource_shape;

/* The precheck of these operations: ResourceArn is present and not empty. */
MUST_CHECK const struct error *table_resource_required(struct call *c);

/* Parses the request's ResourceArn. It must have our service, partition, region and account, and
 * name a table (rest "") or a stream (rest "/stream/LABEL"), which need not exist. `lists_tags`:
 * the request lists tags; the service words the error about another region differently there. */
MUST_CHECK const struct error *table_resource_read(struct call *c, bool lists_tags,
                                                   struct arn *out);
