/* importing.h: imports files into tables and reports the result, for import and push. */
#ifndef COMMANDS_IMPORTING_H
#define COMMANDS_IMPORTING_H

#include "moving/moving_files.h"

struct importing_options {
    const char *table, *prefix, *key, *rules, *errors;
    const char **only;
    size_t only_count;
    struct moving_rename *renames;
    size_t rename_count;
    struct transfer_column *types;
    size_t type_count;
    double rate; /* items a second; 0: no limit */
    bool yes;    /* --yes: the user is not asked */
    char *const *words;
};

/* Reports how many of the imported items have expired already, and how to keep them. */
void importing_say_expired(struct arena *a, const struct moving_report *report,
                           const struct client *to);

/* Imports the files that the words name. Returns the exit status. */
int importing_run(struct arena *a, const struct importing_options *o, struct client *client);

#endif
