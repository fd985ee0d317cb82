/* expr_reserved.h: words that may not be attribute names in an expression.
 *
 * Source: developer guide, "Reserved words in DynamoDB". */
#pragma once

#include "base/span.h"

/* Whether a word is on the service's list of reserved words, in any case. */
bool expr_is_reserved(struct span word);
