/* policy_document.h: checks the text of a resource-based policy like the service. Policies are
 * stored and returned; they do not allow or deny anything here.
 *
 * Source: docs/behaviour/policies.md. */
#pragma once

#include "ops/op.h"

/* Checks the policy for a resource, the ARN of a table or stream. With `confirmed` the policy may
 * remove the right to change it again. */
MUST_CHECK const struct error *policy_document_check(struct call *c, struct span text,
                                                     struct span resource, bool confirmed);

/* The document without white space, for GetResourcePolicy, in the arena. The text must have passed
 * the check. */
struct span policy_document_compact(struct arena *a, struct span text);
