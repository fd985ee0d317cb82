/* lambda_doubt.h: detects valid filter patterns that cannot match any record. */
#ifndef STREAM_LAMBDA_LAMBDA_DOUBT_H
#define STREAM_LAMBDA_LAMBDA_DOUBT_H

#include "stream_lambda/lambda_filter.h"

/* Returns why the pattern matches no record, or NULL if it may match. Does not look inside $or. */
const char *lambda_doubt(struct arena *a, const struct lambda_filter *filter);

#endif
