/* completion.h: scripts that complete a program's command line in bash, zsh or fish, written from
 * the tables of its commands. */
#pragma once

#include "base/manual.h"

/* The text that the words after `help` or `--help` ask for: "man", the manual page, or "completion"
 * and a shell, the script. Returns NULL for other words and shells. */
const char *completion_or_manual(struct arena *a, const struct manual *m, const char *const *words);
