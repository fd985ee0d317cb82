/* manual.h: a program's manual page, written from the tables of its commands. */
#pragma once

#include "base/command_line.h"

struct manual_text {
    const char *word, *text;
};

struct manual {
    const char *program, *version;
    const char *summary; /* its first sentence is the page's title; a longer one is printed, too */
    const struct command *const *commands; /* ends with NULL; the first is the default command; a
                                              program without commands has only itself */
    const struct option_group *common;     /* options of every command */
    const char *topics; /* the words after `help`, separated by blanks; NULL: no such command */
    const struct manual_text
        *examples; /* by subject, "" for the program; ends with NULL; or NULL */
    const struct manual_text *statuses; /* exit statuses; ends with NULL; or NULL */
};

/* Commands with the same options list them once: false for the second one. */
bool manual_lists_options(const struct command *const *commands, size_t at);

/* The page in the macros of man(7); plain ASCII. */
void manual_page(struct buf *out, const struct manual *m);
