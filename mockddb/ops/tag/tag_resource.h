/* tag_resource.h: what the three tag operations share: the table that an ARN names.
 *
 * Source: docs/behaviour/tables.md, "Tags". */
#ifndef OPS_TAG_RESOURCE_H
#define OPS_TAG_RESOURCE_H

#include "ops/op.h"

/* The table that the request's ResourceArn names. */
MUST_CHECK const struct error *tag_resource_find(struct call *c, const struct table **out);

#endif
