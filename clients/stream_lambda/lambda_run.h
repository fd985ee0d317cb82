/* lambda_run.h: what all parts of one run share. */
#ifndef STREAM_LAMBDA_LAMBDA_RUN_H
#define STREAM_LAMBDA_LAMBDA_RUN_H

#include "base/clock.h"
#include "stream_lambda/lambda_failure.h"
#include "stream_lambda/lambda_function.h"
#include "stream_lambda/lambda_options.h"
#include "stream_lambda/lambda_source.h"

struct lambda_run_totals {
    size_t delivered; /* records, once each */
    size_t calls;     /* of the function */
    size_t filtered;  /* records that no filter let through */
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
    int64_t last_record_ms; /* when one was last read; at first, when the run began */
    bool stopping;          /* asked to end: no call begins any more */
    bool failed;            /* the stream cannot be followed any more */

    /* Called by a shard: something has changed that may end the run; it is read to its end (false:
     * ask again later). */
    void (*changed)(struct lambda_run *run);
    bool (*shard_ended)(struct lambda_run *run);
};

/* A line on standard error. */
void lambda_run_say(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* Says why, and ends the run. */
void lambda_run_fail(struct lambda_run *run, const char *why);

/* A timer that calls once, after ms milliseconds from lambda_run_timer_set on. */
struct event *lambda_run_timer_new(struct lambda_run *run, void (*call)(int, short, void *),
                                   void *context);
void lambda_run_timer_set(struct event *timer, int64_t ms);

#endif
