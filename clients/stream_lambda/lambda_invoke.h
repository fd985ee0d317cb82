/* lambda_invoke.h: a function behind HTTP, in the form of Lambda's Invoke operation.
 *
 * POST with the event; the answer is the function's. An X-Amz-Function-Error header, or an error
 * object as the answer (all that the runtime interface emulator has for it), is a failure. */
#ifndef STREAM_LAMBDA_LAMBDA_INVOKE_H
#define STREAM_LAMBDA_LAMBDA_INVOKE_H

#include "stream_lambda/lambda_function.h"

struct lambda_invoke;

/* Returns NULL, or what is wrong with the URL. */
MUST_CHECK const char *lambda_invoke_new(struct arena *a, struct event_base *base,
                                         const struct lambda_function_options *options,
                                         struct lambda_invoke **out);
void lambda_invoke_free(struct lambda_invoke *i);

/* As lambda_function_call. */
void lambda_invoke_call(struct lambda_invoke *i, struct arena *a, struct span event,
                        lambda_function_done *done, void *context);

#endif
