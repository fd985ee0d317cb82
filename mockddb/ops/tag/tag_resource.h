/* tag_resource.h: what operations on tags share: the table that an ARN names, its tags.
 *
 * Source: docs/behaviour/tables.md, "Tags". */
#ifndef OPS_TAG_RESOURCE_H
#define OPS_TAG_RESOURCE_H

#include "ops/op.h"
#include "ops/table/table_spec.h"

/* The table that the request's ResourceArn names. */
MUST_CHECK const struct error *tag_resource_find(struct call *c, const struct table **out);

/* The tags of t and, in their place or after them, those of the list. */
void tag_resource_merge(struct table *t, const struct tag_list *list);

/* Those of t except for the keys of the list. */
void tag_resource_remove(struct table *t, const wire_node *keys);

/* Writes the member Tags. */
void tag_resource_put(struct wire_writer *w, const struct table *t);

#endif
