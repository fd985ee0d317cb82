/* explain_syntax.h: the words for a place at which an expression cannot continue: what was meant.
 */
#pragma once

#include "explain/explain_expression.h"

explain_words explain_syntax, explain_syntax_function, explain_syntax_misplaced;
