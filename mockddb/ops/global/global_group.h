/* global_group.h: the tables of a global table.
 *
 * Where the server tells regions apart, each replica is a table of its region, and each has the
 * whole list of the others (struct global). Else there is one table that knows of the others, and
 * serves them all. */
#ifndef OPS_GLOBAL_GROUP_H
#define OPS_GLOBAL_GROUP_H

#include "ops/op.h"

/* Whether its replicas are tables. */
static inline bool global_group_is_real(const struct table *t)
{
    return t->global.log_space != 0;
}

/* What is to be done to a replica's table; call.region is its region meanwhile. */
typedef const struct error *global_work(struct call *c, struct table *draft, void *data);

/* The replica of the table in that region, where it is a table, or NULL. */
const struct table *global_group_table(struct call *c, const struct table *t, struct span region);

/* Does the work to the replica in that region, or in all others than the call's, where they are
 * tables, and keeps them. `t` lists them, and is not changed. */
MUST_CHECK const struct error *global_group_at(struct call *c, const struct table *t,
                                               struct span region, global_work *work, void *data);
MUST_CHECK const struct error *global_group_each(struct call *c, const struct table *t,
                                                 global_work *work, void *data);

/* All other replicas learn of the list that `t` has: to be called after it changed. */
MUST_CHECK const struct error *global_group_share(struct call *c, const struct table *t);

/* What the list is for the replica in `region`, which has `draft` so far. */
void global_group_view(const struct call *c, const struct table *t, struct span region,
                       struct table *draft);

/* The table leaves the others as it is deleted; whether it may: "Replica cannot be deleted because
 * …" */
MUST_CHECK const struct error *global_group_check_leave(struct call *c, const struct table *t);
MUST_CHECK const struct error *global_group_leave(struct call *c, struct table *draft);

#endif
