/* explain_moment.h: points in time, in the forms that keys and attributes have them in: dates of
 * ISO 8601, and seconds, milliseconds or microseconds since 1970, which their digits tell apart. */
#pragma once

#include "explain/inquiry.h"

/* Whether an attribute's name says that it is a moment: createdAt, expires, start_time. */
bool explain_moment_named(struct inquiry *q, struct span name);

/* Whether both are moments in forms that do not compare: *out is `asked` in the form of `there`.
 * Returns the difference in words; NULL: they are not. Two numbers are moments if the attribute is
 * named so, or if they are of this century and near each other. */
const char *explain_moment_mend(struct inquiry *q, bool named, const struct attr *asked,
                                const struct attr *there, struct attr *out);

/* Forms of a moment with a time in the middle of a text, such as a key; returns their number. */
#define EXPLAIN_MOMENT_FORMS 6
size_t explain_moment_forms(struct inquiry *q, struct span asked,
                            struct span out[EXPLAIN_MOMENT_FORMS]);
