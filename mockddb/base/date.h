/* date.h: points in time in the forms used in requests. All times are UTC, in milliseconds since
 * 1970. */
#pragma once

#include "base/arena.h"

/* ISO 8601's basic form: 20150830T123600Z. Times outside of the years 1 to 9999 are written as the
 * nearest within them, and refused when read. */
char *date_basic(struct arena *a, int64_t ms);
bool date_read_basic(struct span text, int64_t *ms);

/* HTTP's form: Sun, 30 Aug 2015 12:36:00 GMT. The day of the week is ignored. */
bool date_read_http(struct span text, int64_t *ms);

/* ISO 8601's extended form: 2026-01-01T00:00:00Z. Also accepted when read: no seconds, three or six
 * decimals, the date alone. */
char *date_extended(struct arena *a, int64_t ms);
bool date_read_extended(struct span text, int64_t *ms);
