/* policy_action.h: the actions that a policy can name. Source: service authorization reference,
 * "Actions defined by Amazon DynamoDB". */
#ifndef OPS_POLICY_ACTION_H
#define OPS_POLICY_ACTION_H

#include "base/span.h"

/* Whether a pattern of a policy ("dynamodb:GetItem", "dynamodb:Get*", "*") has that action. Upper
 * and lower case are the same. */
bool policy_action_matches(struct span pattern, const char *action);

/* Whether it has any action of the service. */
bool policy_action_is_known(struct span pattern);

#endif
