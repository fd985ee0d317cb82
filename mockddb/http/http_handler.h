/* http_handler.h: what all requests share: access checks, CORS, reply headers, gzip. The rest is in
 * the matching route.
 *
 * Order of checks and headers: docs/behaviour/http.md. Moves no bytes and needs no socket. */
#pragma once

#include "http/http_admin.h"
#include "http/http_door.h"
#include "http/http_gzip.h"
#include "http/http_keys.h"
#include "http/http_route.h"
#include "mcp/mcp_host.h"
#include "worlds/worlds.h"

#include <time.h>

struct http_handler_options {
    struct span region; /* for the health check's text */
    struct http_door door;
    const struct http_keys *keys; /* keys for verifying signatures; NULL: they are not verified */
    const struct admin_patterns *patterns; /* for the verbs; NULL: no patterns */
    const struct mcp_options *mcp;         /* the tools for agents … */
    const char *mcp_token;           /* … for requests with this token; NULL: they are left out */
    const struct http_route *routes; /* NULL: http_routes */
    unsigned without;                /* flags of routes to leave out */
    bool worlds_by_key;              /* a request uses its access key's world, not the first */
    bool local_mode;                 /* GET of / is answered as by DynamoDB Local */
};

/* Members are for the handlers of routes. */
struct http_handler {
    struct worlds *worlds;
    struct http_admin *admin;
    struct clock *clock;
    struct http_handler_options options;
    struct arena *arena; /* of the current request */
    struct http_gzip *gzip;

    /* Values of reply headers. */
    time_t date_of;
    char date[32];
    char length[24];
    char request_id[53];
    char crc32[16];
};

/* Borrows worlds, the clock and what the options point to. Signatures and the Date header use this
 * clock, not a world's. */
struct http_handler *http_handler_new(struct worlds *worlds, struct clock *clock,
                                      const struct http_handler_options *options);
void http_handler_free(struct http_handler *h); /* h may be NULL */

/* Between requests: frees the memory that is kept for the next one. */
void http_handler_trim(struct http_handler *h);

/* Answers the exchange's request: finds its route, unless it is known, and calls it. The reply may
 * be sent after worlds_flush, unless its world is lost. */
void http_handler_answer(struct http_handler *h, struct http_exchange *x);

/* The route for a request's head. */
const struct http_route *http_handler_route(const struct http_handler *h,
                                            const struct http_request *request);

/* Adds what every reply needs to a reply that was promised for later. */
void http_handler_complete(struct http_handler *h, struct http_exchange *x);

/* Replaces a reply that waited for a failed flush. */
void http_handler_lose(struct http_handler *h, struct http_exchange *x);
