/* recovery.h: point-in-time recovery of a table: turning it on and off, and the time it covers.
 *
 * Source: developer guide, "Point-in-time recovery"; docs/behaviour/backups.md. */
#pragma once

#include "ops/op.h"

/* The first and last moment to which the table can be restored now. Recovery must be on. */
struct recovery_window {
    int64_t earliest_ms, latest_ms;
};
struct recovery_window recovery_window(const struct call *c, const struct table *t);

/* Turn recovery of a draft on with a period of days, or change the period; turn it off. */
MUST_CHECK const struct error *recovery_enable(struct call *c, struct table *draft, int64_t days);
MUST_CHECK const struct error *recovery_disable(struct call *c, struct table *draft);
