/* utf8.h: what the rest needs to know about UTF-8. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include "base/span.h"

/* Whether s is well-formed UTF-8 (RFC 3629: no surrogates, no overlong forms). */
bool utf8_valid(struct span s);

/* Length in UTF-16 code units of valid UTF-8: what Java's String.length() says. */
size_t utf8_utf16_length(struct span s);

#endif
