/* lambda_doubt.h: filter patterns that are in form, as the service takes them, and match no record.
 */
#ifndef STREAM_LAMBDA_LAMBDA_DOUBT_H
#define STREAM_LAMBDA_LAMBDA_DOUBT_H

#include "stream_lambda/lambda_filter.h"

/* Why it matches none; NULL: nothing is known. What stands in $or is not looked at. */
const char *lambda_doubt(struct arena *a, const struct lambda_filter *filter);

#endif
