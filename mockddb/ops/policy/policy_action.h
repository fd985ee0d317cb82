/* policy_action.h: the actions that a policy can name. Source: service authorization reference,
 * "Actions defined by Amazon DynamoDB". */
#ifndef OPS_POLICY_ACTION_H
#define OPS_POLICY_ACTION_H

#include "base/span.h"

/* Whether a pattern of a policy ("dynamodb:GetItem", "dynamodb:Get*", "*") matches the action.
 * Ignores case. */
bool policy_action_matches(struct span pattern, const char *action);

/* Whether the pattern matches any action of the service. */
bool policy_action_is_known(struct span pattern);

#endif
