/* wire_glance.h: a fast path for small attribute values in the text. */
#pragma once

#include "base/span.h"

/* Reads a value in the most frequent form: {"S":"x"}, with a type of one letter and a short text,
 * without blanks and escapes. Returns the end of the value and sets *text to the text between the
 * quotes; NULL for any other form. Reads nothing beyond `end`. */
const char *wire_glance(const char *at, const char *end, struct span *text);

/* Returns the end of the value if it is {"NULL":true}, else NULL. */
const char *wire_glance_null(const char *at, const char *end);
