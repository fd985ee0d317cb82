/* file.h: reads whole files, and appends to them. */
#pragma once

#include "base/arena.h"

/* Reads everything from the file, pipe or device into the arena. False, with errno set, if it
 * cannot be read. */
bool file_read(struct arena *a, const char *path, struct span *out);

/* The text of an error from errno: "PATH: No such file or directory". */
const char *file_error(struct arena *a, const char *path);

/* The last part of a path. */
const char *file_base(const char *path);

/* Makes a folder and any missing parents. False, with errno set, if the path is not a folder
 * afterwards. */
bool file_make_folder(struct arena *a, const char *path);

/* Appends whole lines to the file, which is created if missing; its folder must exist. An
 * incomplete last line, as a crash leaves it, is removed first. False, with errno set, on failure;
 * then nothing is appended. */
bool file_append_lines(const char *path, struct span lines);

/* Writes all of the bytes at the descriptor's position; false, with errno set, on failure. */
bool file_write(int fd, struct span bytes);
