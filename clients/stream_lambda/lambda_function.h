/* lambda_function.h: the function, called with one event after another.
 *
 * It is a command that reads the event from standard input, or an HTTP endpoint in the form of
 * Lambda's Invoke operation, as the runtime interface emulator has it. Calls may overlap. */
#ifndef STREAM_LAMBDA_LAMBDA_FUNCTION_H
#define STREAM_LAMBDA_LAMBDA_FUNCTION_H

#include "base/arena.h"

struct event_base;

struct lambda_function_options {
    const char *command; /* for /bin/sh, or NULL */
    const char *url;     /* http://…, or NULL */
    int timeout_seconds;
    bool wants_answer; /* false: a command's standard output is left alone */
};

enum lambda_function_outcome {
    FUNCTION_ANSWERED,
    FUNCTION_FAILED,     /* it ran and failed, or took too long */
    FUNCTION_NOT_REACHED /* it did not run; trying again is no retry */
};

struct lambda_function_result {
    enum lambda_function_outcome outcome;
    const char *why;    /* unless it answered */
    struct span answer; /* empty where none was wanted */
    int status;         /* HTTP status; 200 of a command */
};

/* Gets the result, which lives until it returns. */
typedef void lambda_function_done(void *context, const struct lambda_function_result *result);

struct lambda_function;

/* Calls run in that loop. Returns NULL, or why there can be no such function. */
MUST_CHECK const char *lambda_function_new(struct arena *a, struct event_base *base,
                                           const struct lambda_function_options *options,
                                           struct lambda_function **out);

/* Ends the calls that are under way without a word to their `done`. f may be NULL. */
void lambda_function_free(struct lambda_function *f);

/* Calls the function. The event has to stay until `done` was called, which may be at once;
 * `a` is for what the call needs. */
void lambda_function_call(struct lambda_function *f, struct arena *a, struct span event,
                          lambda_function_done *done, void *context);

#endif
