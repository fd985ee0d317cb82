#include "commands/write_consent.h"

#include "base/terminal.h"

#include <stdio.h>
#include <strings.h>
#include <unistd.h>

const char *write_consent_ask(struct arena *a, const char *server, bool is_here, bool yes)
{
    char line[16];

    if (yes || is_here)
        return NULL;
    if (!isatty(STDIN_FILENO))
        return arena_printf(a,
                            "%s is not this machine, and there is no terminal to ask on: --yes "
                            "allows the write",
                            server);
    terminal_say("Write to %s? [y/N] ", server);
    (void)fflush(stderr);
    if (fgets(line, sizeof line, stdin) &&
        (strcasecmp(line, "y\n") == 0 || strcasecmp(line, "yes\n") == 0))
        return NULL;
    return "nothing was written";
}
