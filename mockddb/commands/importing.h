/* importing.h: imports files into tables and reports the result, for import and push. */
#pragma once

#include "base/option.h"
#include "moving/moving_files.h"
#include "templates/template_params.h"

struct importing_options {
    struct moving_import_options how; /* its pace and rules are set by importing_run */
    const char *key, *rules, *errors;
    struct option_pairs params;
    const char *region; /* of pseudo parameters of templates; NULL: the default */
    double rate;        /* items a second; 0: no limit */
    bool compares;      /* items are read back and compared */
    bool yes;           /* --yes: the user is not asked */
    char *const *words;
};

/* Reports how many of the imported items have expired already, and how to keep them. */
void importing_say_expired(struct arena *a, const struct moving_report *report,
                           const struct client *to);

/* Prints how many items were read back and found equal, and their digest. */
void importing_print_equal(struct arena *a, const char *name, const struct moving_digest *compared);

/* Imports the files that the words name. Returns the exit status. */
int importing_run(struct arena *a, const struct importing_options *o, struct client *client);
