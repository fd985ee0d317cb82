/* pattern_run.h: sends the steps of patterns and compares the answers with the expectations. */
#pragma once

#include "client/client.h"
#include "patterns/pattern_resolve.h"

struct pattern_run_options {
    struct client *client;
    const char *prefix;         /* "" for none */
    struct option_pairs values; /* from the command line: they win over the file's */
    const char *const *only;    /* names of the patterns to run; none: all */
    size_t only_count;
    bool allow_writes;
    bool goes_on;         /* continue with a pattern's next step after one that fails */
    bool describe_tables; /* also describe the sections' tables */
};

/* Names of patterns and values in the options must occur in a file. Returns a sentence about the
 * first that does not, or NULL. */
const char *pattern_run_check_names(struct arena *a, const struct pattern_run_options *options,
                                    const struct pattern_file *files, size_t count);

/* Runs the selected patterns of the file. Returns NULL (patterns may have failed), or the error if
 * the endpoint could not be reached or a value is unknown. */
MUST_CHECK const char *pattern_run_file(struct arena *a, const struct pattern_run_options *options,
                                        const struct pattern_file *file,
                                        struct pattern_file_result *out);

/* --- running one request at a time ----------------------------------------------------------- */

struct pattern_run;

/* The run is in the arena; options and file are borrowed. */
struct pattern_run *pattern_run_new(struct arena *a, const struct pattern_run_options *options,
                                    const struct pattern_file *file);

/* Whether the pattern is selected. */
bool pattern_run_has(const struct pattern_run *r, const struct pattern *pattern);

/* Begins a pattern; *out is complete when its last step is done. Memory that the arena gives from
 * now on belongs to the pattern's result. */
void pattern_run_begin(struct pattern_run *r, const struct pattern *pattern,
                       struct pattern_result *out);
/* Sends the next request; returns true if there are no more. */
bool pattern_run_step(struct pattern_run *r);

/* Why the endpoint could not be reached, or NULL. */
const char *pattern_run_error(const struct pattern_run *r);
