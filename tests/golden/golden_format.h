/* golden_format.h: the layout of files of golden cases: one step a line where it fits into 120
 * columns, otherwise one member a line. Strings and numbers stay as they are written. */
#pragma once

#include "base/buf.h"

/* Appends the text in that layout, with a line end. Returns false if it is not JSON. */
bool golden_format(struct buf *out, struct span text);

/* Like golden_format, where a step expects this reply instead of what it expects: the step-th of
 * the case-th case, both counted from 0. `expected` is a JSON object with the members that say so.
 */
bool golden_format_update(struct buf *out, struct span text, size_t nth_case, size_t nth_step,
                          struct span expected);
