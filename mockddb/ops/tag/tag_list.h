/* tag_list.h: changes the tags of many resources at once: ResourceARNList of the tagging API.
 *
 * Source: docs/behaviour/neighbours.md. */
#ifndef OPS_TAG_LIST_H
#define OPS_TAG_LIST_H

#include "ops/op.h"
#include "ops/table/table_spec.h"

extern const struct wire_shape tag_list_arns, tag_list_tags, tag_list_keys;

/* Changes the tags of a copy of a table. */
typedef const struct error *tag_list_change(struct call *c, struct table *t, const void *with);

/* Calls change for each listed table, and writes FailedResourcesMap with the errors. */
MUST_CHECK const struct error *tag_list_apply(struct call *c, tag_list_change *change,
                                              const void *with);

#endif
