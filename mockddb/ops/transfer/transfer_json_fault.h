/* transfer_json_fault.h: explains the error in a text that begins like a JSON object. */
#pragma once

#include "base/arena.h"

/* Describes the error, with its column unless it is at the end: "a } is missing", "a comma or } is
 * missing in column 9". Columns count bytes from `column`, the text's first column, and ignore
 * lines. With column 0 the message has no column. NULL: the text is an object. */
const char *transfer_json_fault(struct arena *a, struct span text, size_t column);
