/* capture_call.h: the operations that ddb-capture sends, at a limited rate.
 *
 * All requests of this program go through here: operations on one table that only read. */
#ifndef CAPTURE_CAPTURE_CALL_H
#define CAPTURE_CAPTURE_CALL_H

#include "client/client_aws.h"

enum capture_operation {
    CAPTURE_DESCRIBE_TABLE,
    CAPTURE_DESCRIBE_TTL,
    CAPTURE_BATCH_GET,
    CAPTURE_QUERY,
    CAPTURE_SCAN,
    CAPTURE_OPERATION_COUNT
};

struct capture_caller {
    struct client_aws *client;
    double rate;      /* read units a second */
    double units;     /* consumed so far */
    int64_t ready_us; /* nothing is read before this time, to keep the rate */
};

/* Sends the operation after waiting as the rate requires, and again if it is throttled. The answer,
 * always a successful one, lives in the arena. Returns NULL, or the error. */
MUST_CHECK const char *capture_call(struct capture_caller *c, struct arena *a,
                                    enum capture_operation operation, struct span request,
                                    struct client_answer *out);

/* Pauses before retry number `time`, counted from 0, longer each time. Returns false if there were
 * enough retries. */
bool capture_call_wait(size_t time);

#endif
