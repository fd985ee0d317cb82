/* lambda_options.h: the command line. */
#pragma once

#include "client/client_options.h"
#include "stream_lambda/lambda_filter.h"

struct lambda_options {
    struct client_aws_options at;
    const char *table, *stream_arn; /* one of the two */
    const char *command, *url;      /* one of the two */
    bool latest;                    /* begin with records that come from now on */
    const char *failure_file;       /* may be NULL */
    int64_t timeout;                /* seconds */
    int64_t batch_size;
    int64_t batch_window; /* seconds */
    int64_t max_retries;  /* -1: no limit */
    int64_t max_age;      /* seconds; -1: as long as records are kept */
    int64_t idle_exit;    /* seconds; -1: never */
    bool once, bisect, reports_failures, verbose;
    struct lambda_filter filters[LAMBDA_FILTERS_MAX];
    size_t filter_count;
};

extern const struct option_group lambda_options_groups[];
extern const struct lambda_options lambda_options_default;

/* Checks options against each other. Returns NULL, or what is wrong. */
const char *lambda_options_check(struct arena *a, void *options);
