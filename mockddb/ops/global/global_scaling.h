/* global_scaling.h: the auto scaling settings of a global table: kept, and acted on by nobody.
 *
 * Source: docs/behaviour/global-tables.md. */
#ifndef OPS_GLOBAL_SCALING_H
#define OPS_GLOBAL_SCALING_H

#include "ops/op.h"

/* The settings of reads in a region (region "": of writes everywhere) of the table (index "") or of
 * an index; NULL: none were made. */
struct scaling *global_scaling_find(const struct table *t, struct span region, struct span index);

/* Takes over what AutoScalingSettingsUpdate says. */
MUST_CHECK const struct error *global_scaling_update(struct call *c, struct table *draft,
                                                     struct span region, struct span index,
                                                     const wire_node *update);

/* Writes AutoScalingSettingsDescription under that name. */
void global_scaling_describe(struct wire_writer *w, const char *member, const struct scaling *s);

/* Whether the write units of the table, or of an index, follow the load: by these settings, or as a
 * target of application auto scaling. */
MUST_CHECK const struct error *global_scaling_covers(struct call *c, const struct table *t,
                                                     const struct index *ix, bool *covered);

extern const struct wire_shape global_scaling_settings; /* AutoScalingSettingsUpdate */

#endif
