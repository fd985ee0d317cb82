/* lambda_event.h: stream records in the form in which a function gets them. */
#ifndef STREAM_LAMBDA_LAMBDA_EVENT_H
#define STREAM_LAMBDA_LAMBDA_EVENT_H

#include "base/buf.h"
#include "wire/wire_body.h"

/* A record of GetRecords as JSON, with the stream's ARN in it; the members of userIdentity, in
 * capitals there, begin in lower case here. */
struct span lambda_event_record(struct arena *a, const wire_node *record, struct span stream_arn);

/* {"Records": […]} is this much longer than what is in it, and one comma less. */
#define LAMBDA_EVENT_AROUND  \
    (sizeof "{\"Records\":[" \
            "]}" -           \
     1)

#endif
