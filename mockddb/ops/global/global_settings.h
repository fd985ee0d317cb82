/* global_settings.h: what a replica has of its own and what all replicas share, when UpdateTable
 * changes the table of one region.
 *
 * Read units and table class are shared until a replica has its own (its overrides); the other
 * replicas' lists say what it has. Each list is changed together with the replica, so all of them
 * say what the replica runs at. */
#ifndef OPS_GLOBAL_SETTINGS_H
#define OPS_GLOBAL_SETTINGS_H

#include "ops/op.h"
#include "ops/table/table_spec.h"

/* The entry of the table's own region: any other replica has it. NULL: the replica is no table. */
const struct replica *global_settings_own(struct call *c, const struct table *t);

/* A new replica, `draft`, is made from a table whose own entry is `own`, or NULL: where that has
 * settings of its own, it gets those that the other replicas share. */
void global_settings_inherit(struct call *c, const struct table *source, const struct replica *own,
                             struct table *draft);

/* Leaves in *spec, which the region of `asked` was sent, what the table of the region of `own`
 * takes as well. Entries may be NULL. */
void global_settings_share(struct arena *a, const struct table *t, const struct replica *asked,
                           const struct replica *own, struct table_spec *spec);

/* The table's list after `region` was sent the spec: what that replica has of its own follows, and
 * what no longer goes with the table is gone. */
void global_settings_note(struct table *draft, struct span region, const struct table_spec *spec);

#endif
