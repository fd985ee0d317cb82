/* manual.h: a program's manual page, written from the tables of its commands. */
#ifndef BASE_MANUAL_H
#define BASE_MANUAL_H

#include "base/command_line.h"

struct manual_text {
    const char *word, *text;
};

struct manual {
    const char *program, *version, *summary;
    const struct command *const *commands; /* ends with NULL; the first is the default command */
    const struct option_group *common;     /* options of every command */
    const char *topics;                    /* the words after `help`, separated by blanks */
    const struct manual_text *examples;    /* by subject, "" for the program; ends with NULL */
    const struct manual_text *statuses;    /* exit statuses; ends with NULL */
};

/* The page in the macros of man(7); plain ASCII. */
void manual_page(struct buf *out, const struct manual *m);

#endif
