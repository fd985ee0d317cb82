/* lambda_command.h: a function that is a shell command: the event on standard input, the answer on
 * standard output, failure by exit status. */
#ifndef STREAM_LAMBDA_LAMBDA_COMMAND_H
#define STREAM_LAMBDA_LAMBDA_COMMAND_H

#include "stream_lambda/lambda_function.h"
#include "stream_lambda/lambda_options.h"

struct event_base;

struct lambda_function *lambda_command_new(struct arena *a, struct event_base *base,
                                           const struct lambda_options *options);

#endif
