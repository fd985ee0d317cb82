/* wire_glance.h: small attribute values in the text, seen at a glance. */
#ifndef WIRE_WIRE_GLANCE_H
#define WIRE_WIRE_GLANCE_H

#include "base/span.h"

/* As most values are written: {"S":"x"}, with a type of one letter and a short text, without blanks
 * and escapes. Returns what comes after it and sets *text to what is between the quotes; NULL where
 * it is written otherwise. Looks at nothing beyond `end`. */
const char *wire_glance(const char *at, const char *end, struct span *text);

/* Whether that is {"NULL":true}; what comes after it, else NULL. */
const char *wire_glance_null(const char *at, const char *end);

#endif
