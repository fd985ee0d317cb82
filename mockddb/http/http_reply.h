/* http_reply.h: the replies that handlers of routes give.
 *
 * Headers are borrowed from the handler: a reply that is filled in later is filled in right before
 * http_exchange_finish. */
#ifndef HTTP_HTTP_REPLY_H
#define HTTP_HTTP_REPLY_H

#include "http/http_handler.h"

#define HTTP_JSON "application/json"

/* Nothing but the status, and whether the connection goes on. */
void http_reply_begin(struct http_exchange *x, int status);

/* Begins with the status and the body; a content type of NULL leaves that header out. */
void http_reply_body(struct http_handler *h, struct http_exchange *x, int status,
                     const char *content_type, struct span body);

/* The head of a reply that is streamed. */
void http_reply_stream(struct http_handler *h, struct http_exchange *x, int status,
                       const char *content_type);

void http_reply_header(struct http_reply *reply, const char *name, const char *value);

/* The reply says that it is so much later than it is. */
void http_reply_skewed(struct http_handler *h, int64_t ms);

/* The reply says that it has another checksum than it has. */
void http_reply_wrong_crc(struct http_handler *h);

/* What the service says to what it does not know. */
void http_reply_unknown(struct http_handler *h, struct http_exchange *x);

/* {"message":"…"} of our own pages; the handler's arena has it, and may have the message. */
void http_reply_problem(struct http_handler *h, struct http_exchange *x, int status,
                        const char *message);
/* The same where nothing else is in the arena. */
void http_reply_message(struct http_handler *h, struct http_exchange *x, int status,
                        const char *message);

/* An answer of dispatch as the JSON protocol has it: of the request's type, packed where the client
 * takes that. */
void http_reply_json(struct http_handler *h, struct http_exchange *x, const struct reply *answer);

/* The service's answer to what went wrong below. */
void http_reply_internal_error(struct http_handler *h, struct http_exchange *x);

#endif
