/* http_exchange.h: a request and its reply, for handlers.
 *
 * A handler fills in the reply and returns. Or it sets the pace to HTTP_LATER and answers when it
 * can, or to HTTP_STREAM and writes the body as its reader takes it. A connection's next request is
 * read only after that, so replies keep their order. */
#pragma once

#include "http/http_message.h"

enum http_pace {
    HTTP_NOW,    /* the reply is complete; it is sent after the flush at the end of the turn */
    HTTP_LATER,  /* the reply is complete when http_exchange_finish is called */
    HTTP_STREAM, /* the head is complete; the body is written until http_exchange_end is called */
};

/* All of it stays valid and in place until on_gone. */
struct http_exchange {
    struct http_request request; /* complete; for a streamed body, the head only */
    struct http_reply reply;
    const struct http_route *route;
    struct http_connection *connection; /* may be NULL, as in tests of handlers */

    /* The handler's to set. */
    enum http_pace pace;
    int delay_ms; /* send the complete reply this much later */
    void *state;
    /* Work that lasts while the exchange is held and its handler is called again. */
    void *work;
    int64_t work_until_us;                    /* processor time at which its turn is over */
    void (*on_over)(struct http_exchange *x); /* after on_gone; frees the work */
    /* Receives the next part of a streamed body. With `last`, it must fill in the reply, or promise
     * it, as a handler does. It may be set to NULL to answer before the end. */
    void (*on_body)(struct http_exchange *x, struct span part, bool last);
    /* Called when a streamed reply may write more. */
    void (*on_room)(struct http_exchange *x);
    /* The exchange is over: the reply was sent, or the connection is lost. */
    void (*on_gone)(struct http_exchange *x);
};

/* The promised reply is complete. */
void http_exchange_finish(struct http_exchange *x);

/* For a streamed reply: how much may be written now. More is accepted, and buffered. */
size_t http_exchange_room(const struct http_exchange *x);
void http_exchange_write(struct http_exchange *x, struct span bytes);
/* Ends a streamed reply; if it failed, the reader can see that. */
void http_exchange_end(struct http_exchange *x);
void http_exchange_break(struct http_exchange *x);

/* Calls on_room soon, after there was nothing to write for a while. */
void http_exchange_wake(struct http_exchange *x);
