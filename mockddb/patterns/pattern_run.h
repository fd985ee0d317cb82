/* pattern_run.h: sends the steps of patterns and holds the answers against expectations. */
#ifndef PATTERNS_PATTERN_RUN_H
#define PATTERNS_PATTERN_RUN_H

#include "client/client_answer.h"
#include "patterns/pattern_resolve.h"

/* Who answers the operations: a server over HTTP, or the one that runs in this process. */
struct pattern_caller {
    /* Sends the operation; the answer is the arena's. Returns NULL when it was answered, be it with
     * an error; else why it was not. */
    const char *(*call)(void *context, struct arena *a, const char *operation, struct span request,
                        struct client_answer *out);
    void *context;
};

struct pattern_run_options {
    struct pattern_caller caller;
    const char *prefix;                 /* "" for none */
    const struct pattern_value *values; /* given on the command line: they win over the file's */
    size_t value_count;
    const char *const *only; /* names of the patterns to run; none: all */
    size_t only_count;
    bool allow_writes;
    bool goes_on;         /* with a pattern's next step, also where one fails */
    bool describe_tables; /* ask for the sections' tables too */
};

/* Names of patterns and values in the options that none of the files has are mistakes: the first,
 * as one sentence, or NULL. */
const char *pattern_run_check_names(struct arena *a, const struct pattern_run_options *options,
                                    const struct pattern_file *files, size_t count);

/* Runs what is selected in the file. Returns NULL (patterns may have failed), or why the endpoint
 * could not be reached or a value is unknown. */
MUST_CHECK const char *pattern_run_file(struct arena *a, const struct pattern_run_options *options,
                                        const struct pattern_file *file,
                                        struct pattern_file_result *out);

/* --- the same, a request at a time ------------------------------------------------------------ */

struct pattern_run;

/* Everything is the arena's; options and file are borrowed. */
struct pattern_run *pattern_run_new(struct arena *a, const struct pattern_run_options *options,
                                    const struct pattern_file *file);

/* Whether the pattern is selected. */
bool pattern_run_has(const struct pattern_run *r, const struct pattern *pattern);

/* Begins with a pattern: what it gives is in *out when its last step is done. What the arena takes
 * from here on is the pattern's. */
void pattern_run_begin(struct pattern_run *r, const struct pattern *pattern,
                       struct pattern_result *out);
/* Sends the next request; true when there is none. */
bool pattern_run_step(struct pattern_run *r);

/* Why the endpoint could not be reached; else NULL. */
const char *pattern_run_error(const struct pattern_run *r);

#endif
