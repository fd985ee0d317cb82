/* global_group.h: the tables of a global table.
 *
 * If the server separates regions, each replica is a table of its region, and each has the list of
 * all others (struct global). Otherwise one table has the list and serves all regions. */
#pragma once

#include "ops/op.h"

/* Whether the table's replicas are tables. */
static inline bool global_group_is_real(const struct table *t)
{
    return t->global.log_space != 0;
}

/* Changes a replica's table; call.region is the replica's region during the call. */
typedef const struct error *global_work(struct call *c, struct table *draft, void *data);

/* Returns the table's replica in the region, or NULL if it is not a table. */
const struct table *global_group_table(struct call *c, const struct table *t, struct span region);

/* Calls work for the replica in the region (_at) or all replicas in other regions (_each) that are
 * tables, and stores the changed tables. `t` has the list and is not changed. */
MUST_CHECK const struct error *global_group_at(struct call *c, const struct table *t,
                                               struct span region, global_work *work, void *data);
MUST_CHECK const struct error *global_group_each(struct call *c, const struct table *t,
                                                 global_work *work, void *data);

/* Copies the list of `t` to all other replicas; call it after each change of the list. */
MUST_CHECK const struct error *global_group_share(struct call *c, const struct table *t);

/* Sets the list of `draft`, the replica in `region`, from the list of `t`. */
void global_group_view(const struct call *c, const struct table *t, struct span region,
                       struct table *draft);

/* Removes a table that is being deleted from its group. The check fails with "Replica cannot be
 * deleted because …". */
MUST_CHECK const struct error *global_group_check_leave(struct call *c, const struct table *t);
MUST_CHECK const struct error *global_group_leave(struct call *c, struct table *draft);
