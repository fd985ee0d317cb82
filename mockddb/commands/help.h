/* help.h: the texts that `mockddb help` and --help print, from the tables of commands and
 * options. */
#ifndef COMMANDS_HELP_H
#define COMMANDS_HELP_H

#include "commands/command.h"

struct help {
    const struct command *const *commands; /* the options of the first one define the subjects */
    size_t count;
    const struct option_group *common; /* options of all commands */
};

/* One page: the commands, and the names of all options by subject. */
const char *help_of_program(struct arena *a, const struct help *h);

/* One command: its words, its options, the common options, and examples. */
const char *help_of_command(struct arena *a, const struct help *h, const struct command *command);

/* Help about a subject, a command or "all". Returns NULL for any other word. */
const char *help_about(struct arena *a, const struct help *h, const char *word);

#endif
