/* option.h: options of a command line, as rows of tables. */
#ifndef COMMANDS_OPTION_H
#define COMMANDS_OPTION_H

#include "base/buf.h"

struct option_value {
    struct arena *arena;
    const char *text; /* NULL of a flag */
    void *into;       /* the struct that options are read into */
    size_t at;        /* of its member */
    bool *adds;       /* becomes true where what was given before counts as well */
};

/* Takes what was given. Returns NULL, or what is wrong with it: "… is …". */
typedef const char *option_take(const struct option_value *v);

option_take option_text; /* a text that is not empty, into a const char * */
option_take option_flag; /* true, into a bool */
option_take option_ignored;

/* The options of a command line so far that have a value. */
struct option_history {
    const struct option **at;
    size_t count;
    const char *repeated; /* the first one in place of which a later one counts; NULL: none */
};

/* For takers of an option that may be repeated: one more text in the list. */
void option_add_text(const struct option_value *v, const char ***list, size_t *count);

struct option {
    const char *name;  /* with its dashes; "-X*" is all that begins with -X; NULL ends a table */
    const char *value; /* its name in the help; NULL: a flag */
    option_take *take;
    size_t at;        /* the member that is set, for takers that ask */
    const char *help; /* NULL: another spelling, which the help leaves out */
};

/* Options that belong together; an array of groups ends with one that has no rows. */
struct option_group {
    const char *title; /* in the help, or NULL */
    const struct option *rows;
    size_t mark; /* of the bool that any of them sets; 0: there is none */
};

/* Whether one of the groups has the option that `argument` names. */
bool option_is_known(const struct option_group *groups, const char *argument);

/* Reads the known option at **words, and its value, and steps past them. Of an option that is given
 * twice, be it under another name, the last counts. Returns NULL, or what is wrong in one line. */
MUST_CHECK const char *option_read(struct arena *a, const struct option_group *groups,
                                   char *const **words, void *into, struct option_history *history);

/* Adds a row of a help text: a name, and behind it or, where it is long, below it what it does. */
void option_help_row(struct buf *out, const char *name, const char *help);
/* A line for each option. */
void option_help(struct buf *out, const struct option_group *groups);

#endif
