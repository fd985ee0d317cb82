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
/* What is wrong with the request's signature, or with its form where none is asked for; ERROR_NONE:
 * nothing. What it claims to be is in *claim; all of it empty where its form is wrong. */
enum error_kind http_protocol_auth(const struct http_handler *h, const struct http_request *request,
                                   struct http_claim *claim, struct buf *message);
void http_protocol_operation(struct http_handler *h, struct http_exchange *x);

/* The service's answer to what went wrong below. */
void http_protocol_internal_error(struct http_handler *h, struct http_exchange *x);

#endif
