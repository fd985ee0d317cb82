/* lambda_command.h: a function that is a shell command: the event on standard input, the answer on
 * standard output, failure by exit status. */
#pragma once

#include "stream_lambda/lambda_function.h"
#include "stream_lambda/lambda_options.h"

struct event_base;

struct lambda_function *lambda_command_new(struct arena *a, struct event_base *base,
                                           const struct lambda_options *options);
