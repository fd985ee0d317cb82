/* awscli_shell.h: splits lines typed into a shell into words.
 *
 * Quotes, backslashes, continued lines (also with ^ and ` of Windows' shells), comments and ~ have
 * their usual meaning; features that need a shell ($NAME, $(…), pipes, redirection) are refused by
 * name. */
#pragma once

#include "base/buf.h"

/* Consecutive commands; each is its words, up to a NULL. */
struct awscli_lines {
    char ***at;
    size_t len;
};

/* `home` replaces ~; NULL: ~ stays. Returns NULL, or what is wrong. */
MUST_CHECK const char *awscli_shell_read(struct arena *a, struct span text, const char *home,
                                         struct awscli_lines *out);
