/* lambda_function.h: the function that is called with events.
 *
 * It is a command that reads the event from standard input, or an HTTP endpoint with Lambda's
 * Invoke operation, such as the runtime interface emulator. Calls may overlap. */
#pragma once

#include "base/arena.h"

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

/* A function; the first member of a command and of an endpoint. Calls run in the event loop. */
struct lambda_function {
    /* Calls the function. The event must live until `done` is called, which may happen at once; `a`
     * is for the call's memory. */
    void (*call)(struct lambda_function *f, struct arena *a, struct span event,
                 lambda_function_done *done, void *context);
    /* Ends running calls without calling their `done`. */
    void (*free)(struct lambda_function *f);
};
