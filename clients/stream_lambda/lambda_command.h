/* lambda_command.h: a function that is a shell command: the event on standard input, the answer on
 * standard output, failure by exit status. */
#ifndef STREAM_LAMBDA_LAMBDA_COMMAND_H
#define STREAM_LAMBDA_LAMBDA_COMMAND_H

#include "stream_lambda/lambda_function.h"

struct lambda_command;

struct lambda_command *lambda_command_new(struct arena *a, struct event_base *base,
                                          const struct lambda_function_options *options);
void lambda_command_free(struct lambda_command *c); /* kills running commands */

/* See lambda_function_call. */
void lambda_command_call(struct lambda_command *c, struct arena *a, struct span event,
                         lambda_function_done *done, void *context);

#endif
