/* awscli_options.h: the options of a command, and which one a word names. */
#pragma once

#include "base/problem.h"
#include "ops/op.h"

enum awscli_meaning {
    AWSCLI_MEMBER, /* sets a member */
    AWSCLI_YES,    /* a boolean member: --x, … */
    AWSCLI_NO,     /* … --no-x */
    AWSCLI_IGNORED,
    AWSCLI_UNKNOWN_HERE, /* refused by name */
    AWSCLI_QUERY,
    AWSCLI_OUTPUT,
    AWSCLI_ENDPOINT,
    AWSCLI_NO_PAGINATE,
    AWSCLI_INPUT_JSON,
    AWSCLI_MAX_ITEMS,
    AWSCLI_PAGE_SIZE,
    AWSCLI_STARTING_TOKEN,
};

struct awscli_option {
    const char *name; /* with its dashes */
    enum awscli_meaning meaning;
    enum awscli_takes { AWSCLI_NOTHING, AWSCLI_ONE, AWSCLI_MANY } takes;
    const struct wire_member *member;
    bool global; /* also allowed before the command */
};

struct awscli_options {
    struct awscli_option *at;
    size_t len;
};

/* The global options and, if `op` is not NULL, the operation's own. */
struct awscli_options awscli_options_of(struct arena *a, const struct op *op);

/* The option that a word names, by its whole name or by a unique prefix; *value is the text after
 * "=", or NULL. *out is NULL if there is no such option. */
MUST_CHECK const struct problem *
awscli_options_find(struct arena *a, const struct awscli_options *options, const char *word,
                    const struct awscli_option **out, const char **value);

/* Whether a word that names no option looks like one. */
bool awscli_options_look_like(const char *word);
