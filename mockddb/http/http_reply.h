/* http_reply.h: fills in replies for the handlers of routes.
 *
 * Headers are borrowed from the handler, so a later reply must be filled in right before
 * http_exchange_finish. */
#pragma once

#include "http/http_handler.h"

#define HTTP_JSON "application/json"

/* Sets only the status, and whether the connection stays open. */
void http_reply_begin(struct http_exchange *x, int status);

/* Begins a reply with a status and a body; a content type of NULL leaves that header out. */
void http_reply_body(struct http_handler *h, struct http_exchange *x, int status,
                     const char *content_type, struct span body);

/* Sends the head of a streamed reply. */
void http_reply_stream(struct http_handler *h, struct http_exchange *x, int status,
                       const char *content_type);

void http_reply_header(struct http_reply *reply, const char *name, const char *value);

/* Makes the reply's Date this much later. */
void http_reply_skewed(struct http_handler *h, int64_t ms);

/* Gives the reply a wrong checksum. */
void http_reply_wrong_crc(struct http_handler *h);

/* The service's reply to an unknown path. */
void http_reply_unknown(struct http_handler *h, struct http_exchange *x);

/* Replies {"message":"…"} on our own pages; uses the handler's arena, which may contain the
 * message. */
void http_reply_problem(struct http_handler *h, struct http_exchange *x, int status,
                        const char *message);
/* Like http_reply_problem, if nothing else is in the arena: resets it first. */
void http_reply_message(struct http_handler *h, struct http_exchange *x, int status,
                        const char *message);

/* Replies with an answer of dispatch in the JSON protocol: the content type is the request's, and
 * it is compressed if the client accepts that. */
void http_reply_json(struct http_handler *h, struct http_exchange *x, const struct reply *answer);

/* The service's reply to an internal error. */
void http_reply_internal_error(struct http_handler *h, struct http_exchange *x);
