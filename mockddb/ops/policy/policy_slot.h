/* policy_slot.h: where the policy of a resource is kept: a table has one, its newest stream
 * another.
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

/* The slot of the resource that the request names, which `arn` was read from. */
MUST_CHECK const struct error *policy_slot_find(struct call *c, const struct arn *arn,
                                                struct policy_slot *out);

/* The policy in it; its document is "" where there is none. */
const struct policy *policy_slot_get(const struct policy_slot *slot);

/* That the table may be changed, and that the request's ExpectedRevisionId is the policy's. */
MUST_CHECK const struct error *policy_slot_check(struct call *c, const struct policy_slot *slot);

/* Puts the policy in place of the one that is there, with a revision that is new; a document of
 * length 0 empties the slot. */
MUST_CHECK const struct error *policy_slot_put(struct call *c, const struct policy_slot *slot,
                                               struct span document, int64_t *revision);

/* "Resource-based policy not found for the provided ResourceArn: …" */
MUST_CHECK const struct error *policy_slot_not_found(struct call *c, const char *fmt, ...)
    PRINTF_LIKE(2, 3);

/* RevisionId of an answer: the moment in milliseconds, as text. */
void policy_slot_put_revision(struct call *c, int64_t revision);

#endif
