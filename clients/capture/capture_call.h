/* capture_call.h: what ddb-capture may send, and how fast.
 *
 * There is one way from this program to a server, and it takes operations of one table only: those
 * that read. */
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
    int64_t ready_us; /* before then nothing is read, so that the rate is kept */
};

/* Sends the operation, later where the rate asks for that, and again where it was throttled. The
 * answer, a successful one, is the arena's. Returns NULL, or why there is none. */
MUST_CHECK const char *capture_call(struct capture_caller *c, struct arena *a,
                                    enum capture_operation operation, struct span request,
                                    struct client_answer *out);

/* Pauses before something is asked for once more for the time-th time, from 0, longer and longer;
 * false: that is often enough. */
bool capture_call_wait(size_t time);

#endif
