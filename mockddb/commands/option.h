/* option.h: command-line options, as rows of tables. */
#ifndef COMMANDS_OPTION_H
#define COMMANDS_OPTION_H

#include "base/buf.h"

struct option_value {
    struct arena *arena;
    const char *text; /* NULL for a flag */
    void *into;       /* the struct that options are read into */
    size_t at;        /* offset of the option's member */
    bool *adds;       /* set to true if earlier values of the option remain */
};

/* Stores the value. Returns NULL, or what is wrong with it, such as "is empty". */
typedef const char *option_take(const struct option_value *v);

option_take option_text; /* a text that is not empty, into a const char * */
option_take option_flag; /* true, into a bool */
option_take option_ignored;

/* The options with a value that were read so far. */
struct option_history {
    const struct option **at;
    size_t count;
    const char *repeated; /* the first option whose earlier value is overridden; NULL: none */
};

/* For takers of options that may be repeated: appends the text to the list. */
void option_add_text(const struct option_value *v, const char ***list, size_t *count);

struct option {
    const char *name; /* with its dashes; "-X*" matches all that begin with -X; NULL ends a table */
    const char *value; /* name of the value in the help; NULL: a flag */
    option_take *take;
    size_t at;        /* offset of the member to set, for takers that use it */
    const char *help; /* NULL: another spelling, which is left out of the help */
};

/* Options of one subject; an array of groups ends with a group without rows. */
struct option_group {
    const char *title; /* in the help, or NULL */
    const struct option *rows;
    size_t mark; /* offset of a bool that each of them sets; 0: none */
};

/* Whether one of the groups has the option in `argument`. */
bool option_is_known(const struct option_group *groups, const char *argument);

/* Reads the known option at **words and its value, and steps past them. If an option is given
 * twice, even under another name, the last value counts. Returns NULL, or a line that says what is
 * wrong. */
MUST_CHECK const char *option_read(struct arena *a, const struct option_group *groups,
                                   char *const **words, void *into, struct option_history *history);

/* Adds a row of the help: the name, and what it does on the same line, or below a long name. */
void option_help_row(struct buf *out, const char *name, const char *help);
/* Adds a line for each option. */
void option_help(struct buf *out, const struct option_group *groups);

#endif
