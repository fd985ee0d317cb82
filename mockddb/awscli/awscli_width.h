/* awscli_width.h: how wide letters are in the CLI's tables. */
#ifndef AWSCLI_AWSCLI_WIDTH_H
#define AWSCLI_AWSCLI_WIDTH_H

#include "base/span.h"

/* The columns that the CLI counts for valid UTF-8. They are not a terminal's (base/utf8.h): letters
 * whose width is ambiguous by Unicode, such as é, count as two, and so do marks that join the
 * letter before them. */
size_t awscli_width(struct span text);

#endif
