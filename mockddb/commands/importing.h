/* importing.h: files into tables, with a report of it: for import and push. */
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
    double rate; /* items a second; 0: as many as can be */
    bool yes;    /* nobody needs to be asked */
    char *const *words;
};

/* Says how many of the items that were put have expired already, and how they can be kept. */
void importing_say_expired(struct arena *a, const struct moving_report *report,
                           const struct moving_door *to);

/* Imports what the words lead to; the exit status. */
int importing_run(struct arena *a, const struct importing_options *o, struct moving_door *door);

#endif
