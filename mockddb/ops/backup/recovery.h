/* recovery.h: point-in-time recovery of a table: whether it is on, and which moments it covers.
 *
 * Source: developer guide, "Point-in-time recovery"; docs/behaviour/backups.md. */
#ifndef OPS_RECOVERY_H
#define OPS_RECOVERY_H

#include "ops/op.h"

/* The first and the last moment to which the table can be restored now; recovery is on. */
struct recovery_window {
    int64_t earliest_ms, latest_ms;
};
struct recovery_window recovery_window(const struct call *c, const struct table *t);

/* Switches it on for so many days, or changes the period; switches it off. Of a draft. */
MUST_CHECK const struct error *recovery_enable(struct call *c, struct table *draft, int64_t days);
MUST_CHECK const struct error *recovery_disable(struct call *c, struct table *draft);

/* ContinuousBackupsDescription, a member of the reply. */
void recovery_describe(struct call *c, const struct table *t);

#endif
