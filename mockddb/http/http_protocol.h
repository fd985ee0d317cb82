/* http_protocol.h: the AWS JSON protocol, and the service's other answers.
 *
 * Source: docs/behaviour/http.md. */
#pragma once

#include "http/http_auth.h"
#include "http/http_handler.h"

/* The content types of requests; the first is that of errors. */
extern const char *const http_protocol_types[];

void http_protocol_options(struct http_handler *h, struct http_exchange *x);
void http_protocol_health(struct http_handler *h, struct http_exchange *x);
void http_protocol_operation(struct http_handler *h, struct http_exchange *x);

/* A request for dispatch, and how its answer becomes a reply. */
struct http_protocol_call {
    struct span target;
    struct span body; /* JSON, or the input of `convert` … */
    /* … which returns JSON, by the operation's shapes, once the request is allowed; NULL: it is
     * JSON */
    struct span (*convert)(struct http_handler *h, const struct http_protocol_call *call);
    void (*reply)(struct http_handler *h, struct http_exchange *x, const struct reply *answer,
                  const struct http_protocol_call *call);
    bool explains;       /* explanations may be requested */
    const struct op *op; /* for the reply, like `service`; NULL: an unknown operation */
    const void *service;
    const void *form; /* of `convert` */
};

/* Runs the request in its world and answers, or holds the request. The handler's arena must have
 * been reset. */
void http_protocol_run(struct http_handler *h, struct http_exchange *x,
                       const struct http_protocol_call *call);
