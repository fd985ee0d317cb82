/* http_handler.h: what HTTP means here: methods, content types, CORS, reply headers, gzip.
 *
 * Order of checks and headers: docs/behaviour/http.md. Moves no bytes and needs no socket. */
#ifndef HTTP_HTTP_HANDLER_H
#define HTTP_HTTP_HANDLER_H

#include "http/http_keys.h"
#include "http/http_message.h"
#include "worlds/worlds.h"

struct http_handler;

struct http_handler_options {
    struct span region;           /* for the health check's text */
    const char *cors_origins;     /* who may read replies: "*", or origins separated by commas */
    const char *host;             /* the address or name that is listened on */
    const struct http_keys *keys; /* whose signatures are asked for; NULL: any will do */
};

/* Borrows worlds, the clock and what the options point to. Signatures and the Date header follow
 * the clock, whatever time it is in a world. */
struct http_handler *http_handler_new(struct worlds *worlds, struct clock *clock,
                                      const struct http_handler_options *options);
void http_handler_free(struct http_handler *h); /* h may be NULL */

/* Answers a request. The reply may leave after worlds_flush, unless its world is lost then. */
void http_handle(struct http_handler *h, const struct http_request *request,
                 struct http_reply *reply);

/* The reply in place of one that waited for a flush which failed. */
void http_handle_lost(struct http_handler *h, const struct http_request *request,
                      struct http_reply *reply);

#endif
