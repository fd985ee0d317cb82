/* lambda_follow.h: follows a stream, shard by shard, until the run ends. */
#ifndef STREAM_LAMBDA_LAMBDA_FOLLOW_H
#define STREAM_LAMBDA_LAMBDA_FOLLOW_H

#include "stream_lambda/lambda_options.h"

enum lambda_follow_end {
    FOLLOW_DONE,   /* the run ended normally */
    FOLLOW_FAILED, /* batches were given up, or the stream could not be followed to the end */
    FOLLOW_NEVER   /* the run could not begin */
};

/* Runs until an option, a signal or the stream ends the run; logs to standard error. */
enum lambda_follow_end lambda_follow(struct arena *a, const struct lambda_options *options);

#endif
