/* awscli_shell.h: lines as they are typed into a shell, as words.
 *
 * Quotes, backslashes, continued lines (also with ^ and ` of Windows' shells), comments and ~ mean
 * what they mean there; what only a shell
 * can do ($NAME, $(…), pipes, redirection) is refused by name. */
#ifndef AWSCLI_AWSCLI_SHELL_H
#define AWSCLI_AWSCLI_SHELL_H

#include "base/buf.h"

/* Commands that stand one behind the other; each is its words, up to a NULL. */
struct awscli_lines {
    char ***at;
    size_t len;
};

/* `home` is what ~ stands for; NULL: it stays. Returns NULL, or what is wrong. */
MUST_CHECK const char *awscli_shell_read(struct arena *a, struct span text, const char *home,
                                         struct awscli_lines *out);

#endif
