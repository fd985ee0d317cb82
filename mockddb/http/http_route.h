/* http_route.h: the table of routes: the first matching row answers. */
#pragma once

#include "http/http_exchange.h"

struct http_handler;

#define HTTP_TAKES(method) (1u << (method))

enum http_route_flags {
    HTTP_OWN = 1,   /* a page of ours: access is checked, and other sites' pages see nothing */
    HTTP_ADMIN = 2, /* left out with --no-admin */
    /* Called with the head; the body follows in parts, and may be of any length. */
    HTTP_STREAMS_BODY = 4,
    HTTP_CONSOLE = 8,  /* for people: left out with --no-console */
    HTTP_BY_TYPE = 16, /* matches only requests with one of its content types */
    HTTP_AGENTS = 64,  /* left out without --mcp */
    HTTP_LINKED = 32,  /* other sites may link to it */
};

struct http_route {
    const char *path;         /* a * is one step, or at the end the whole rest; NULL: any path */
    const char *target;       /* prefix of X-Amz-Target; NULL: anything, or none */
    unsigned methods;         /* HTTP_TAKES(HTTP_GET) | …; HEAD is included in GET; 0: any */
    const char *const *types; /* accepted content types, up to NULL; NULL: any */
    unsigned flags;
    void (*handle)(struct http_handler *h, struct http_exchange *x);
};

/* A table ends with a row without path, target and methods, which matches everything else. */
const struct http_route *http_route_find(const struct http_route *table, unsigned without,
                                         const struct http_request *request);

/* The path of "/a?b", or of "http://host/a?b" as sent to a proxy. */
struct span http_route_path(const char *uri);

/* Returns the type that a Content-Type header (may be NULL) names, or NULL. Parameters and case are
 * ignored. */
const char *http_route_type(const char *header, const char *const *types);

/* Content types of HTML forms, which a page can send without a preflight. */
extern const char *const http_route_form_types[];

/* The routes of the program. */
extern const struct http_route http_routes[];
