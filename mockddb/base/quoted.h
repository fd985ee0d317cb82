/* quoted.h: texts as a POSIX shell takes them for one word. */
#ifndef BASE_QUOTED_H
#define BASE_QUOTED_H

#include "base/buf.h"

/* Appends the text: as it is where no character of it means anything to a shell, else in quotes. */
void quoted_add(struct buf *out, struct span text);

/* Always in single quotes. */
void quoted_add_single(struct buf *out, struct span text);

#endif
