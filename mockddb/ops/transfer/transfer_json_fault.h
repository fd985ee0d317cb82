/* transfer_json_fault.h: what a text lacks that begins as a JSON object and does not become one. */
#ifndef OPS_TRANSFER_TRANSFER_JSON_FAULT_H
#define OPS_TRANSFER_TRANSFER_JSON_FAULT_H

#include "base/arena.h"
#include "base/span.h"

/* Says what is missing, and in which column where that is not the end: "a } is missing", "a comma
 * or } is missing in column 9". Columns are bytes from `column`, the one in which the text begins;
 * lines are not counted. With column 0 no column is named. NULL: it is an object. */
const char *transfer_json_fault(struct arena *a, struct span text, size_t column);

#endif
