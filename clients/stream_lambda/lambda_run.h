/* lambda_run.h: state that all parts of a run share. */
#pragma once

#include "base/clock.h"
#include "stream_lambda/lambda_failure.h"
#include "stream_lambda/lambda_function.h"
#include "stream_lambda/lambda_options.h"
#include "stream_lambda/lambda_source.h"

struct lambda_run_totals {
    size_t delivered; /* records that were delivered; each counts once */
    size_t calls;     /* calls of the function */
    size_t filtered;  /* records that matched no filter */
    size_t given_up;  /* records */
};

struct lambda_run {
    const struct lambda_options *options;
    struct event_base *base;
    struct clock *clock;
    struct lambda_source source;
    struct lambda_function *function;
    struct lambda_failure_file *failures;
    struct lambda_run_totals totals;
    int64_t last_record_ms; /* when a record was last read; at first, when the run began */
    bool stopping;          /* the run is ending: no new call begins */
    bool failed;            /* the stream cannot be followed further */

    /* Called by a shard after a change that may end the run; `read` is false if the shard will call
     * again. */
    void (*changed)(struct lambda_run *run);
    bool (*shard_ended)(struct lambda_run *run);
};

/* Prints a line on standard error. */
void lambda_run_say(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* Prints the reason, and ends the run. */
void lambda_run_fail(struct lambda_run *run, const char *why);

/* Returns a timer that calls once, ms milliseconds after each lambda_run_timer_set. */
struct event *lambda_run_timer_new(struct lambda_run *run, void (*call)(int, short, void *),
                                   void *context);
void lambda_run_timer_set(struct event *timer, int64_t ms);
