/* file.h: the whole of a file. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/arena.h"

/* All that the file, pipe or device has; the bytes are the arena's. False, with errno set, when it
 * cannot be read. */
bool file_read(struct arena *a, const char *path, struct span *out);

#endif
