/* file.h: the whole of a file, and more at its end. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/arena.h"

/* All that the file, pipe or device has; the bytes are the arena's. False, with errno set, when it
 * cannot be read. */
bool file_read(struct arena *a, const char *path, struct span *out);

/* Makes a folder and the folders above it, where they are missing. False, with errno set, when the
 * path is not a folder afterwards. */
bool file_make_folder(struct arena *a, const char *path);

/* Appends whole lines to the file, which is made if it is missing; its folder has to exist. A last
 * line without end, as a crash leaves it, is removed. False, with errno set, when that cannot be
 * done; then nothing is appended. */
bool file_append_lines(const char *path, struct span lines);

/* Writes all of the bytes where the descriptor stands; false, with errno set, when that fails. */
bool file_write(int fd, struct span bytes);

#endif
