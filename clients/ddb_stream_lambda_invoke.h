/* ddb_stream_lambda_invoke.h: a function behind HTTP, in the form of Lambda's Invoke operation.
 *
 * POST with the event; the answer is the function's. An X-Amz-Function-Error header, or an error
 * object as the answer (all that the runtime interface emulator has for it), is a failure. */
#ifndef DDB_STREAM_LAMBDA_INVOKE_H
#define DDB_STREAM_LAMBDA_INVOKE_H

#include "ddb_stream_lambda_function.h"

struct invoke;

/* Returns NULL, or what is wrong with the URL. */
MUST_CHECK const char *invoke_new(struct arena *a, struct event_base *base,
                                  const struct function_options *options, struct invoke **out);
void invoke_free(struct invoke *i);

/* As function_call. */
void invoke_call(struct invoke *i, struct arena *a, struct span event, function_done *done,
                 void *context);

#endif
