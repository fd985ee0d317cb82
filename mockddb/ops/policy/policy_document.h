/* policy_document.h: the text of a resource-based policy, judged as the service judges it. Policies
 * are kept and given back; nothing is allowed or denied by them here.
 *
 * Source: docs/behaviour/policies.md. */
#ifndef OPS_POLICY_DOCUMENT_H
#define OPS_POLICY_DOCUMENT_H

#include "ops/op.h"

/* What is wrong with the policy for the resource of that ARN, a table's or a stream's; `confirmed`
 * lets it take away the right to change the policy again. */
MUST_CHECK const struct error *policy_document_check(struct call *c, struct span text,
                                                     struct span resource, bool confirmed);

/* The document without white space, as GetResourcePolicy shows it; its text has passed the check.
 * Lives in the arena. */
struct span policy_document_compact(struct arena *a, struct span text);

#endif
