#include "commands/write_consent.h"

#include <stdio.h>
#include <strings.h>
#include <unistd.h>

static bool is_yes(const char *line)
{
    return strcasecmp(line, "y\n") == 0 || strcasecmp(line, "yes\n") == 0;
}

const char *write_consent_ask(struct arena *a, const struct moving_door *door, bool yes)
{
    char line[16];

    if (yes || moving_door_is_here(door))
        return NULL;
    if (!isatty(STDIN_FILENO))
        return arena_printf(a,
                            "%s is not this machine, and nobody can be asked: --yes says that it "
                            "is meant",
                            moving_door_name(door));
    (void)fprintf(stderr, "Write to %s? [y/N] ", moving_door_name(door));
    (void)fflush(stderr);
    if (fgets(line, sizeof line, stdin) && is_yes(line))
        return NULL;
    return "nothing was written";
}
