/* wire_scan.h: the strictness that cJSON lacks, settled in one pass over the text.
 *
 * cJSON takes malformed numbers, raw control characters and any bytes as UTF-8, loses the digits
 * of numbers and ends strings at NUL. The scan refuses the first three, and finds the numbers and
 * the escaped NULs. */
#ifndef WIRE_WIRE_SCAN_H
#define WIRE_WIRE_SCAN_H

#include "base/arena.h"

struct wire_scan {
    struct span *numbers; /* every number token, in the order of the text */
    size_t number_count;
    size_t nul_count; /* escapes \u0000 */
};

/* False where a token cannot be JSON. What is between tokens is left to the parser. */
bool wire_scan(struct arena *a, struct span text, struct wire_scan *out);

/* The text with each \u0000 replaced by the overlong form C0 80, which valid UTF-8 never holds. */
struct span wire_hide_nuls(struct arena *a, struct span text);

#endif
