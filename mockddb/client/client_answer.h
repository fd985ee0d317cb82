/* client_answer.h: the parsed reply to an operation, whichever way it was sent. */
#pragma once

#include "wire/wire_body.h"

struct client_answer {
    int status;
    const wire_node *body;  /* parsed */
    struct span text;       /* unparsed */
    struct span error_type; /* ValidationException; len 0 on success */
    struct span message;    /* of an error */
    int64_t millis;         /* from sending to the last byte; set by the sender */
};

/* Reads a status and a body. The body must live as long as the answer. Returns false if the body is
 * not JSON. */
MUST_CHECK bool client_answer_read(struct arena *a, int status, struct span text,
                                   struct client_answer *out);

/* The error as a text, "Type: message". */
const char *client_answer_error(struct arena *a, const struct client_answer *answer);

/* Whether the error is temporary: the same request may succeed if it is sent again later. */
bool client_answer_is_passing(const struct client_answer *answer);
