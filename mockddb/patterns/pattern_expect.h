/* pattern_expect.h: compares the result and the cost of a step with its expectations. */
#pragma once

#include "patterns/pattern_result.h"

/* Adds a failure to `result` for every expectation that is not met. `expect` and `cost` have their
 * values filled in and may be NULL; without `expect`, one item or more is expected. */
void pattern_expect_check(struct arena *a, const wire_node *expect,
                          const struct pattern_step_result *step, struct pattern_result *result);
void pattern_expect_check_cost(struct arena *a, const wire_node *cost,
                               const struct pattern_step_result *step,
                               struct pattern_result *result);
