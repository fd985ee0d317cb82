/* copying.h: copies whole tables between a server and a file, for push and pull. */
#pragma once

#include "commands/endpoint_options.h"
#include "commands/importing.h"
#include "moving/moving_copy.h"

struct copying_options {
    struct client_aws_options at;
    const char *db;
    bool schema_only, check;       /* of pull: the lock file is written or compared */
    bool no_compare;               /* items are not read back */
    const char *lock;              /* NULL: the usual one */
    struct importing_options what; /* of push, files; `only`, prefix and rate also for tables */
};

extern const struct option copying_rows[];
extern const struct copying_options copying_defaults;

/* Lists the requested tables, and checks that all of them exist. Returns NULL, or an error. */
MUST_CHECK const char *copying_tables(struct arena *a, const struct copying_options *o,
                                      struct client *from, struct moving_names *out);

/* Reports the settings of a table that its copy lacks. */
void copying_say_lacks(struct span table, struct span lacks);

/* Copies the tables and reports it. The progress is kept beside the file, under the verb's name.
 * Returns the exit status. */
int copying_run(struct arena *a, const struct copying_options *o, struct client *from,
                struct client *to, const struct moving_names *tables, const char *verb);
