/* global_settings.h: which settings replicas share and which are a replica's own, when UpdateTable
 * changes the table of one region.
 *
 * Replicas share read units and table class until a replica overrides them. The lists of the other
 * replicas have its overrides. Each list changes together with the replica, so all lists have its
 * current values. */
#pragma once

#include "ops/op.h"
#include "ops/table/table_spec.h"

/* Returns the entry of the table's own region, from the list of another replica. NULL if replicas
 * are not tables. */
const struct replica *global_settings_own(struct call *c, const struct table *t);

/* Sets up `draft`, a new replica of `source`, whose own entry is `own` or NULL: settings that the
 * source overrides are taken from the other replicas instead. */
void global_settings_inherit(struct call *c, const struct table *source, const struct replica *own,
                             struct table *draft);

/* Reduces *spec, a request to the region of `asked`, to the changes that the table `t` of the
 * region of `own` takes as well. Entries may be NULL. */
void global_settings_share(struct arena *a, const struct table *t, const struct replica *asked,
                           const struct replica *own, struct table_spec *spec);

/* Updates the table's list after a request to `region`: the overrides of that replica change, and
 * overrides that no longer fit the table are dropped. */
void global_settings_note(struct table *draft, struct span region, const struct table_spec *spec);
