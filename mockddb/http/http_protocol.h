/* http_protocol.h: the AWS JSON protocol, and what the service answers besides it.
 *
 * Source: docs/behaviour/http.md. */
#ifndef HTTP_HTTP_PROTOCOL_H
#define HTTP_HTTP_PROTOCOL_H

#include "http/http_auth.h"
#include "http/http_handler.h"

/* The content types of requests, the first one of errors. */
extern const char *const http_protocol_types[];

void http_protocol_options(struct http_handler *h, struct http_exchange *x);
void http_protocol_health(struct http_handler *h, struct http_exchange *x);
void http_protocol_operation(struct http_handler *h, struct http_exchange *x);

/* A request as dispatch takes it, and how its answer becomes a reply. */
struct http_protocol_call {
    struct span target;
    struct span body; /* JSON, or what becomes JSON … */
    /* … once the request may come in, by the operation's shapes; NULL: it is JSON */
    struct span (*convert)(struct http_handler *h, const struct http_protocol_call *call);
    void (*reply)(struct http_handler *h, struct http_exchange *x, const struct reply *answer,
                  const struct http_protocol_call *call);
    bool explains;       /* where it is asked for */
    const struct op *op; /* for the reply, as is `service`; NULL: there is none such */
    const void *service;
    const void *form; /* of `convert` */
};

/* Answers in the name of the world that the request means, or holds the request; the handler's
 * arena was reset before. */
void http_protocol_run(struct http_handler *h, struct http_exchange *x,
                       const struct http_protocol_call *call);

#endif
