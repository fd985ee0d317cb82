/* option.h: command-line options, as rows of tables. */
#pragma once

#include "base/buf.h"

struct option;

struct option_value {
    struct arena *arena;
    const struct option *option;
    const char *text; /* NULL for a flag */
    void *into;       /* the struct that options are read into */
    bool *adds;       /* set to true if earlier values of the option remain */
};

/* Stores the value. Returns NULL, or what is wrong with it, such as "is empty". */
typedef const char *option_take(const struct option_value *v);

/* The values of an option that may be repeated. */
struct option_texts {
    const char **at;
    size_t count;
};

/* NAME=VALUE, of an option that may be repeated. */
struct option_pair {
    struct span name, value;
    bool is_used; /* for those who read it */
};

struct option_pairs {
    struct option_pair *at;
    size_t count;
};

option_take option_text; /* a text that is not empty, into a const char * */
option_take option_list; /* such a text, added to a struct option_texts */
option_take option_pair; /* a name, = and a text, added to a struct option_pairs */
option_take option_flag; /* true, into a bool */
option_take option_ignored;
option_take option_number;  /* digits, with a minus if the range allows it, into an int64_t */
option_take option_decimal; /* into a double */
option_take option_either;  /* false or true, by a word, into a bool */

/* The values that an option takes. */
struct option_form {
    double min, max;      /* of option_number and option_decimal */
    const char *what;     /* those values, in the message that refuses others */
    const char *words[2]; /* of option_either, for false and true */
};

#define OPTION_RANGE(min, max, what) (&(const struct option_form){min, max, what, {NULL, NULL}})
#define OPTION_EITHER(no, yes)       (&(const struct option_form){0, 0, NULL, {no, yes}})

/* option_pair refuses an empty value. */
#define OPTION_FILLED (&(const struct option_form){.min = 1})

struct option {
    const char *name; /* with its dashes; "-X*" matches all that begin with -X; NULL ends a table */
    const char *value; /* name of the value in the help; NULL: a flag */
    option_take *take;
    size_t at;        /* offset of the member to set, or another number for the taker */
    const char *help; /* NULL: another spelling, which is left out of the help */
    const struct option_form *form; /* for takers that use it, else NULL */
};

/* The member that the option sets. */
void *option_member(const struct option_value *v);

/* Reads a whole number in the range. */
bool option_read_number(const char *text, double min, double max, int64_t *out);

/* Options of one subject; an array of groups ends with a group without rows. */
struct option_group {
    const char *title; /* in the help, or NULL */
    const struct option *rows;
    size_t mark; /* offset of a bool that each of them sets; 0: none */
};

/* A table of groups; each argument is a row of struct option_group. */
#define OPTION_GROUPS(...) ((const struct option_group[]){__VA_ARGS__, {NULL, NULL, 0}})

/* The options with a value that were read so far. */
struct option_history {
    const struct option **at;
    size_t count;
    const char *repeated; /* the first option whose earlier value is overridden; NULL: none */
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
