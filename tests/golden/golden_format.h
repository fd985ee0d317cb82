/* golden_format.h: the layout of files of golden cases: one step a line where it fits into 120
 * columns, otherwise one member a line. Strings and numbers stay as they are written. */
#ifndef GOLDEN_FORMAT_H
#define GOLDEN_FORMAT_H

#include "base/buf.h"

/* Appends the text in that layout, with a line end. Returns false if it is not JSON. */
bool golden_format(struct buf *out, struct span text);

#endif
