/* policy_slot.h: the stored policies of a table: one for the table and one for its newest stream.
 *
 * Source: docs/behaviour/policies.md. */
#ifndef OPS_POLICY_SLOT_H
#define OPS_POLICY_SLOT_H

#include "ops/op.h"
#include "ops/table/table_arn.h"

struct policy_slot {
    const struct table *table;
    bool of_stream;
};

/* Finds the slot of the request's resource, whose ARN is `arn`. */
MUST_CHECK const struct error *policy_slot_find(struct call *c, const struct arn *arn,
                                                struct policy_slot *out);

/* Returns the slot's policy; without a policy its document is "". */
const struct policy *policy_slot_get(const struct policy_slot *slot);

/* Checks that the table can be changed and that ExpectedRevisionId is the policy's revision. */
MUST_CHECK const struct error *policy_slot_check(struct call *c, const struct policy_slot *slot);

/* Replaces the policy, with a new revision. A document of length 0 empties the slot. */
MUST_CHECK const struct error *policy_slot_put(struct call *c, const struct policy_slot *slot,
                                               struct span document, int64_t *revision);

/* "Resource-based policy not found for the provided ResourceArn: …" */
MUST_CHECK const struct error *policy_slot_not_found(struct call *c, const char *fmt, ...)
    PRINTF_LIKE(2, 3);

/* Writes RevisionId: a time in milliseconds, as text. */
void policy_slot_put_revision(struct call *c, int64_t revision);

#endif
