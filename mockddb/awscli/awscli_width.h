/* awscli_width.h: the width of letters in the CLI's tables. */
#ifndef AWSCLI_AWSCLI_WIDTH_H
#define AWSCLI_AWSCLI_WIDTH_H

#include "base/span.h"

/* The columns that the CLI counts for valid UTF-8. They differ from a terminal's (base/utf8.h):
 * letters of ambiguous width in Unicode, such as é, count as two, and so do combining marks. */
size_t awscli_width(struct span text);

#endif
