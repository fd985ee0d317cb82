/* client_answer.h: what came back for an operation, however it was sent. */
#ifndef CLIENT_CLIENT_ANSWER_H
#define CLIENT_CLIENT_ANSWER_H

#include "wire/wire_body.h"

struct client_answer {
    int status;
    const wire_node *body;  /* parsed */
    struct span text;       /* as it came */
    struct span error_type; /* ValidationException; len 0 on success */
    struct span message;    /* of an error */
    int64_t millis;         /* from sending to the last byte; the sender sets it */
};

/* Reads a status and a body, which has to live as long as the answer. False when the body is not
 * JSON. */
MUST_CHECK bool client_answer_read(struct arena *a, int status, struct span text,
                                   struct client_answer *out);

/* Whether the same request may well be done when it is sent again, a little later. */
bool client_answer_is_passing(const struct client_answer *answer);

#endif
