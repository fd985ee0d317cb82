/* explain_moment.h: points in time, in the forms that keys and attributes have them in: dates of
 * ISO 8601, and seconds, milliseconds or microseconds since 1970, which their digits tell apart. */
#ifndef EXPLAIN_EXPLAIN_MOMENT_H
#define EXPLAIN_EXPLAIN_MOMENT_H

#include "explain/inquiry.h"

/* Whether both are moments, in forms that do not compare: *out is `asked` in the form of `there`,
 * as which it may be typed. Returns in what they differ, in words; NULL: it is not so. */
const char *explain_moment_mend(struct inquiry *q, const struct attr *asked,
                                const struct attr *there, struct attr *out);

/* The same with `asked` in the middle of a text, as keys have it: how it may have been meant there.
 * Moments with a time alone, one after the other; their number. */
#define EXPLAIN_MOMENT_FORMS 6
size_t explain_moment_forms(struct inquiry *q, struct span asked,
                            struct span out[EXPLAIN_MOMENT_FORMS]);

#endif
