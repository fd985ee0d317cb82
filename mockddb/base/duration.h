/* duration.h: lengths of time as people write them. */
#pragma once

#include "base/span.h"

#define DURATION_MAX_MS ((int64_t)100 * 366 * 24 * 3600 * 1000) /* a hundred years */

/* "250ms", "90s", "15m", "36h", "7d", "2w"; negative ones begin with "-". False if the text is not
 * a duration or longer than DURATION_MAX_MS. */
bool duration_read(struct span text, int64_t *ms);
