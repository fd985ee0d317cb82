/* ddb_patterns_run.h: sends the steps of patterns and holds the answers against expectations. */
#ifndef DDB_PATTERNS_RUN_H
#define DDB_PATTERNS_RUN_H

#include "client_aws.h"
#include "ddb_patterns_resolve.h"

struct run_options {
    struct aws_client *client;
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
MUST_CHECK const char *run_file(struct arena *a, const struct run_options *options,
                                const struct pattern_file *file, struct file_result *out);

#endif
