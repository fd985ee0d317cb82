/* quoted.h: quotes texts so that a POSIX shell reads them as one word. */
#pragma once

#include "base/buf.h"

/* Appends the text, in quotes only if a character has a meaning to the shell. */
void quoted_add(struct buf *out, struct span text);

/* Appends the text always in single quotes. */
void quoted_add_single(struct buf *out, struct span text);
