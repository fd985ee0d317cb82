/* update_limits.h: how often a table's settings may be changed.
 *
 * Errors are LimitExceededException. Source: docs/behaviour/tables.md, "UpdateTable". */
#ifndef OPS_UPDATE_LIMITS_H
#define OPS_UPDATE_LIMITS_H

#include "ops/op.h"
#include "ops/table/table_spec.h"

/* Decreases of provisioned units: 4 a UTC day, then one an hour. */
MUST_CHECK const struct error *update_limits_check_decrease(struct call *c,
                                                            const struct throughput *now,
                                                            const struct units_spec *units);
/* The throughput with new units; dates and the count of decreases are brought up to date. */
struct throughput update_limits_throughput(const struct call *c, const struct throughput *now,
                                           const struct units_spec *units);

/* Changes of encryption: 4 in 24 hours, then one in six. */
MUST_CHECK const struct error *update_limits_check_encryption(struct call *c,
                                                              const struct table *t);
void update_limits_count_encryption(const struct call *c, struct table *t);

#endif
