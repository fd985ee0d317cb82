/* lambda_event.h: stream records in the form that a function receives. */
#pragma once

#include "base/buf.h"
#include "wire/wire_body.h"

/* Returns a record of GetRecords as JSON, with the stream's ARN. The members of userIdentity begin
 * in lower case, unlike in GetRecords. */
struct span lambda_event_record(struct arena *a, const wire_node *record, struct span stream_arn);

/* {"Records": […]} is this much longer than its records, each with a comma. */
#define LAMBDA_EVENT_AROUND  \
    (sizeof "{\"Records\":[" \
            "]}" -           \
     1)
