/* lambda_invoke.h: a function behind HTTP, called by Lambda's Invoke operation.
 *
 * The event is sent by POST; the reply is the function's answer. An X-Amz-Function-Error header is
 * a failure, and so is an error object in the answer, since the runtime interface emulator does not
 * send the header. */
#pragma once

#include "stream_lambda/lambda_function.h"
#include "stream_lambda/lambda_options.h"

struct event_base;

/* Returns NULL, or what is wrong with the URL. */
MUST_CHECK const char *lambda_invoke_new(struct arena *a, struct event_base *base,
                                         const struct lambda_options *options,
                                         struct lambda_function **out);
