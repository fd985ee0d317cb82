/* ddb_stream_lambda_command.h: a function that is a command: the event on standard input, the
 * answer on standard output, a failure by exit status. */
#ifndef DDB_STREAM_LAMBDA_COMMAND_H
#define DDB_STREAM_LAMBDA_COMMAND_H

#include "ddb_stream_lambda_function.h"

struct command;

struct command *command_new(struct arena *a, struct event_base *base,
                            const struct function_options *options);
void command_free(struct command *c); /* kills what runs */

/* As function_call. */
void command_call(struct command *c, struct arena *a, struct span event, function_done *done,
                  void *context);

#endif
