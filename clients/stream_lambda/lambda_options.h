/* lambda_options.h: the command line. */
#ifndef STREAM_LAMBDA_LAMBDA_OPTIONS_H
#define STREAM_LAMBDA_LAMBDA_OPTIONS_H

#include "stream_lambda/lambda_filter.h"

struct lambda_options {
    const char *endpoint, *region, *profile; /* NULL: not given */
    const char *table, *stream_arn;          /* one of the two */
    const char *command, *url;               /* one of the two */
    const char *starting_position;           /* TRIM_HORIZON or LATEST */
    const char *failure_file;                /* may be NULL */
    long timeout;                            /* seconds */
    long batch_size;
    long batch_window; /* seconds */
    long max_retries;  /* -1: no limit */
    long max_age;      /* seconds; -1: as long as records are kept */
    long idle_exit;    /* seconds; -1: never */
    bool once, bisect, reports_failures, verbose;
    struct lambda_filter filters[LAMBDA_FILTERS_MAX];
    size_t filter_count;
};

/* Sets *answer to the text of --help or --version, or fills *out. Returns NULL, or what is
 * wrong. */
MUST_CHECK const char *lambda_options_read(struct arena *a, int argc, char **argv,
                                           struct lambda_options *out, const char **answer);

#endif
