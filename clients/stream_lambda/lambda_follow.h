/* lambda_follow.h: follows a stream, shard by shard, until the run ends. */
#ifndef STREAM_LAMBDA_LAMBDA_FOLLOW_H
#define STREAM_LAMBDA_LAMBDA_FOLLOW_H

#include "base/arena.h"

/* Runs until an option (lambda_options.h), a signal or the stream ends the run; logs to standard
 * error. Returns the exit status: 0 for a normal end, 1 if batches were given up or the stream
 * could not be followed to the end, 2 if the run could not begin. */
int lambda_follow(struct arena *a, const void *options);

#endif
