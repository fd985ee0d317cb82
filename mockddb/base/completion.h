/* completion.h: scripts that complete a program's command line, written from the tables of its
 * commands. */
#ifndef BASE_COMPLETION_H
#define BASE_COMPLETION_H

#include "base/manual.h"

/* Adds the script for bash, zsh or fish. Returns false for another shell. */
bool completion_write(struct buf *out, const struct manual *m, const char *shell);

#endif
