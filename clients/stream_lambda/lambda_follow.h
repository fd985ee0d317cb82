/* lambda_follow.h: follows a whole stream, shard by shard, until the end of the run. */
#ifndef STREAM_LAMBDA_LAMBDA_FOLLOW_H
#define STREAM_LAMBDA_LAMBDA_FOLLOW_H

#include "stream_lambda/lambda_options.h"

enum lambda_follow_end {
    FOLLOW_DONE,   /* as it was asked to */
    FOLLOW_FAILED, /* batches were given up, or the stream could not be followed any more */
    FOLLOW_NEVER   /* it could not begin */
};

/* Runs until the options, a signal or the stream ends it; says on standard error what happens. */
enum lambda_follow_end lambda_follow(struct arena *a, const struct lambda_options *options);

#endif
