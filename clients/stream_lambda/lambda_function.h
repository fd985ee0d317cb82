/* lambda_function.h: the function that is called with events.
 *
 * It is a command that reads the event from standard input, or an HTTP endpoint with Lambda's
 * Invoke operation, such as the runtime interface emulator. Calls may overlap. */
#ifndef STREAM_LAMBDA_LAMBDA_FUNCTION_H
#define STREAM_LAMBDA_LAMBDA_FUNCTION_H

#include "base/arena.h"

struct event_base;

struct lambda_function_options {
    const char *command; /* for /bin/sh; may be NULL */
    const char *url;     /* http://…; may be NULL */
    int timeout_seconds;
    bool wants_answer; /* false: a command's standard output is not read */
};

enum lambda_function_outcome {
    FUNCTION_ANSWERED,
    FUNCTION_FAILED,     /* it ran and failed, or took too long */
    FUNCTION_NOT_REACHED /* it did not run; calling it again is not a retry */
};

struct lambda_function_result {
    enum lambda_function_outcome outcome;
    const char *why;    /* NULL if it answered */
    struct span answer; /* empty if no answer is wanted */
    int status;         /* HTTP status; 200 for a command */
};

/* Receives the result, which lives until it returns. */
typedef void lambda_function_done(void *context, const struct lambda_function_result *result);

struct lambda_function;

/* Calls run in the event loop. Returns NULL, or why there can be no such function. */
MUST_CHECK const char *lambda_function_new(struct arena *a, struct event_base *base,
                                           const struct lambda_function_options *options,
                                           struct lambda_function **out);

/* Ends running calls without calling their `done`. f may be NULL. */
void lambda_function_free(struct lambda_function *f);

/* Calls the function. The event must live until `done` is called, which may happen at once; `a` is
 * for the call's memory. */
void lambda_function_call(struct lambda_function *f, struct arena *a, struct span event,
                          lambda_function_done *done, void *context);

#endif
