/* http_exchange.h: a request and its reply, for those who handle it.
 *
 * A handler fills in the reply and returns. Or it sets the pace to HTTP_LATER and answers when it
 * can, or to HTTP_STREAM and writes the body as its reader takes it. A connection's next request
 * is not looked at before that is over, so replies keep their order. */
#ifndef HTTP_HTTP_EXCHANGE_H
#define HTTP_HTTP_EXCHANGE_H

#include "http/http_message.h"

enum http_pace {
    HTTP_NOW,    /* the reply is there; it leaves after the flush at the end of the turn */
    HTTP_LATER,  /* the reply will be there when http_exchange_finish is called */
    HTTP_STREAM, /* its head is there; the body will be written until http_exchange_end is called */
};

/* All of it stays where it is until on_gone. */
struct http_exchange {
    struct http_request request; /* whole; of a body that is streamed, the head alone */
    struct http_reply reply;
    const struct http_route *route;
    struct http_connection *connection; /* NULL where there is none, as in tests of handlers */

    /* The handler's to set. */
    enum http_pace pace;
    int delay_ms; /* a reply that is there leaves so much later */
    void *state;
    /* Takes the next part of a body that is streamed; `last`: the reply is to be filled in, or
     * promised, as by a handler. It may become NULL to answer before the end. */
    void (*on_body)(struct http_exchange *x, struct span part, bool last);
    /* There is room for more of a reply that is streamed. */
    void (*on_room)(struct http_exchange *x);
    /* The exchange is over, whether its reply was read or the connection is lost. */
    void (*on_gone)(struct http_exchange *x);
};

/* The reply that was promised is there. */
void http_exchange_finish(struct http_exchange *x);

/* Of a reply that is streamed. What may be written now; more is taken as well, and is held. */
size_t http_exchange_room(const struct http_exchange *x);
void http_exchange_write(struct http_exchange *x, struct span bytes);
/* That was all; or the rest cannot be had, which the reader sees. */
void http_exchange_end(struct http_exchange *x);
void http_exchange_break(struct http_exchange *x);

/* Has on_room called soon, where nothing was to be written for a while. */
void http_exchange_wake(struct http_exchange *x);

#endif
