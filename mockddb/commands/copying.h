/* copying.h: whole tables between a server and a file: what push and pull share. */
#ifndef COMMANDS_COPYING_H
#define COMMANDS_COPYING_H

#include "commands/endpoint_options.h"
#include "moving/moving_copy.h"

struct copying_options {
    struct endpoint_options at;
    const char *region, *profile;
    const char *db;
    const char **tables; /* none: all */
    size_t table_count;
    const char *prefix;
    double rate;
    bool yes;
    char *const *words;
};

extern const struct option_group copying_groups[];
extern const struct copying_options copying_defaults;

/* NULL, and *problem, where they cannot be opened; `is_there`: the file has to exist. */
struct moving_door *copying_open_server(struct arena *a, const struct copying_options *o,
                                        bool writes, const char **problem);
struct moving_door *copying_open_file(struct arena *a, const char *path, bool is_there,
                                      const char **problem);

/* The tables that are asked for, all of which are there. NULL, or why they are not known. */
MUST_CHECK const char *copying_tables(struct arena *a, const struct copying_options *o,
                                      struct moving_door *from, struct moving_names *out);

/* Says which settings of a table a copy of it has not. */
void copying_say_lacks(struct span table, struct span lacks);

/* Copies them, and says so; how far it is is kept beside the file, by the verb. The exit status. */
int copying_run(struct arena *a, const struct copying_options *o, struct moving_door *from,
                struct moving_door *to, const struct moving_names *tables, const char *verb);

#endif
