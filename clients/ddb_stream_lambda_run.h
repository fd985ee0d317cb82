/* ddb_stream_lambda_run.h: what all parts of one run share. */
#ifndef DDB_STREAM_LAMBDA_RUN_H
#define DDB_STREAM_LAMBDA_RUN_H

#include "base/clock.h"
#include "ddb_stream_lambda_failure.h"
#include "ddb_stream_lambda_function.h"
#include "ddb_stream_lambda_options.h"
#include "ddb_stream_lambda_source.h"

struct run_totals {
    size_t delivered; /* records, once each */
    size_t calls;     /* of the function */
    size_t filtered;  /* records that no filter let through */
    size_t given_up;  /* records */
};

struct lambda_run {
    const struct lambda_options *options;
    struct event_base *base;
    struct clock *clock;
    struct source source;
    struct function *function;
    struct failure_file *failures;
    struct run_totals totals;
    int64_t last_record_ms; /* when one was last read; at first, when the run began */
    bool stopping;          /* asked to end: no call begins any more */
    bool failed;            /* the stream cannot be followed any more */

    /* Called by a shard: something has changed that may end the run; it is read to its end (false:
     * ask again later). */
    void (*changed)(struct lambda_run *run);
    bool (*shard_ended)(struct lambda_run *run);
};

/* A line on standard error. */
void run_say(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* Says why, and ends the run. */
void run_fail(struct lambda_run *run, const char *why);

/* A timer that calls once, after ms milliseconds from run_timer_set on. */
struct event *run_timer_new(struct lambda_run *run, void (*call)(int, short, void *),
                            void *context);
void run_timer_set(struct event *timer, int64_t ms);

#endif
