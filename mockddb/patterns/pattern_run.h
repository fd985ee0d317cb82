/* pattern_run.h: sends the steps of patterns and holds the answers against expectations. */
#ifndef PATTERNS_PATTERN_RUN_H
#define PATTERNS_PATTERN_RUN_H

#include "client/client_aws.h"
#include "patterns/pattern_resolve.h"

struct pattern_run_options {
    struct client_aws *client;
    const char *prefix;                 /* "" for none */
    const struct pattern_value *values; /* given on the command line: they win over the file's */
    size_t value_count;
    const char *const *only; /* names of the patterns to run; none: all */
    size_t only_count;
    bool allow_writes;
    bool describe_tables; /* ask for the sections' tables too */
};

/* Runs what is selected in the file. Returns NULL (patterns may have failed), or why the endpoint
 * could not be reached or a value is unknown. */
MUST_CHECK const char *pattern_run_file(struct arena *a, const struct pattern_run_options *options,
                                        const struct pattern_file *file,
                                        struct pattern_file_result *out);

#endif
