/* capture_call.h: the operations that ddb-capture sends, at a limited rate.
 *
 * All requests of this program go through here: operations on one table that only read. */
#ifndef CAPTURE_CAPTURE_CALL_H
#define CAPTURE_CAPTURE_CALL_H

#include "client/client.h"

enum capture_operation {
    CAPTURE_DESCRIBE_TABLE,
    CAPTURE_DESCRIBE_TTL,
    CAPTURE_BATCH_GET,
    CAPTURE_QUERY,
    CAPTURE_SCAN,
    CAPTURE_OPERATION_COUNT
};

struct capture_caller {
    struct client *client;
    struct client_pace pace; /* of read units */
    double units;            /* consumed so far */
};

/* Sends the operation after waiting as the rate requires, and again if it is throttled. The answer,
 * always a successful one, lives in the arena. Returns NULL, or the error. */
MUST_CHECK const char *capture_call(struct capture_caller *c, struct arena *a,
                                    enum capture_operation operation, struct span request,
                                    struct client_answer *out);

#endif
