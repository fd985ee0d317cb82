/* tag_resource.h: finds the table of an operation on tags, and changes its tags.
 *
 * Source: docs/behaviour/tables.md, "Tags". */
#ifndef OPS_TAG_RESOURCE_H
#define OPS_TAG_RESOURCE_H

#include "ops/op.h"
#include "ops/table/table_spec.h"

/* Finds the table that the request's ResourceArn names. */
MUST_CHECK const struct error *tag_resource_find(struct call *c, const struct table **out);

/* Adds the tags of the list to t; equal keys get the new value. */
void tag_resource_merge(struct table *t, const struct tag_list *list);

/* Removes the tags whose keys are in the list. */
void tag_resource_remove(struct table *t, const wire_node *keys);

/* Writes the member Tags. */
void tag_resource_put(struct wire_writer *w, const struct table *t);

#endif
