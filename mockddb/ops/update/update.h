/* update.h: the steps of UpdateTable: which aspects of a table the request changes, its checks, and
 * its changes.
 *
 * Source: docs/behaviour/tables.md, "UpdateTable". */
#pragma once

#include "ops/op.h"
#include "ops/table/table_spec.h"

/* --- the request alone (update_request.c) ----------------------------------------------------- */

/* The aspects of a table, as bits. An empty member does not count. */
enum update_aspect {
    UPDATE_THROUGHPUT = 1,
    UPDATE_BILLING = 2,
    UPDATE_STREAM = 4,
    UPDATE_INDEXES = 8, /* any change of a GSI … */
    UPDATE_INDEX_CREATE = 16,
    UPDATE_INDEX_DELETE = 32,
    UPDATE_SSE = 64,
    UPDATE_CLASS = 128,
    UPDATE_MEMBERS = 256, /* a member of one value */
    UPDATE_ON_DEMAND = 512,
    UPDATE_WARM = 1024,
    UPDATE_REPLICAS = 2048,
    UPDATE_WITNESS = 4096,
    UPDATE_CONSISTENCY = 8192,
    UPDATE_REPLICATION = 16384,
    UPDATE_DISASSOCIATION = 32768
};
#define UPDATE_ALL 65535u

unsigned update_request_aspects(const struct table_spec *spec);

MUST_CHECK const struct error *update_request_check(struct call *c, const struct table_spec *spec);

/* --- changes that must wait (update_busy.c) --------------------------------------------------- */

/* Checks whether a change in progress excludes the request's. All errors are
 * ResourceInUseException, except for two index changes at once, which is a LimitExceededException.
 */
MUST_CHECK const struct error *update_busy_check(struct call *c, const struct table *t,
                                                 const struct table_spec *spec);

/* "Only 1 online index can be created or deleted simultaneously per table" */
MUST_CHECK const struct error *update_busy_one_index(struct call *c);

/* --- how often settings may be changed (update_limits.c) -------------------------------------- */

/* Errors are LimitExceededException. */

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

/* --- against the table (update_rules.c) ------------------------------------------------------- */

/* Checks that the table is neither CREATING nor DELETING, that indexes to change exist and that new
 * indexes do not. */
MUST_CHECK const struct error *update_rules_check_names(struct call *c, const struct table *t,
                                                        const struct table_spec *spec);

/* The remaining checks; call it after update_busy_check. */
MUST_CHECK const struct error *update_rules_check(struct call *c, const struct table *t,
                                                  const struct table_spec *spec);

/* --- the changes (update_apply.c) ------------------------------------------------------------- */

/* Changes t, a copy for table_state_keep. *idle is set if nothing changed and the answer shows the
 * table UPDATING all the same: the request gives the table's current billing mode or class. */
MUST_CHECK const struct error *update_apply(struct call *c, struct table *t,
                                            const struct table_spec *spec, bool *idle);
