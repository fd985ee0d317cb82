/* global_scaling.h: the auto scaling settings of a global table. They are stored but have no
 * effect.
 *
 * Source: docs/behaviour/global-tables.md. */
#pragma once

#include "ops/op.h"

/* Returns the settings of the table (index "") or an index, for reads in a region or, with region
 * "", for writes everywhere. NULL if they were never set. */
struct scaling *global_scaling_find(const struct table *t, struct span region, struct span index);

/* Applies an AutoScalingSettingsUpdate. */
MUST_CHECK const struct error *global_scaling_update(struct call *c, struct table *draft,
                                                     struct span region, struct span index,
                                                     const wire_node *update);

/* Writes an AutoScalingSettingsDescription as this member. */
void global_scaling_describe(struct wire_writer *w, const char *member, const struct scaling *s);

/* Whether the write units of the table (ix NULL) or an index scale with the load: by these
 * settings, as an Application Auto Scaling target, or on demand. */
MUST_CHECK const struct error *global_scaling_covers(struct call *c, const struct table *t,
                                                     const struct index *ix, bool *covered);

extern const struct wire_shape global_scaling_settings; /* AutoScalingSettingsUpdate */
