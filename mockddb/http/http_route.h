/* http_route.h: who answers what, as a table: the first row that fits. */
#ifndef HTTP_HTTP_ROUTE_H
#define HTTP_HTTP_ROUTE_H

#include "http/http_exchange.h"

struct http_handler;

#define HTTP_TAKES(method) (1u << (method))

enum http_route_flags {
    HTTP_OWN = 1,   /* a page of ours: its door is guarded, and pages of other sites see nothing */
    HTTP_ADMIN = 2, /* not there with --no-admin */
    /* Called with the head; the body follows in parts, as long as it may be. */
    HTTP_STREAMS_BODY = 4,
    HTTP_CONSOLE = 8,  /* a page for people: not there with --no-console */
    HTTP_BY_TYPE = 16, /* fits only requests of one of its types */
    HTTP_LINKED = 32,  /* other sites may have links to it */
};

struct http_route {
    const char *path;   /* a * is one step of the path, or all the rest at the end; NULL: any */
    const char *target; /* what X-Amz-Target begins with; NULL: anything, or none */
    unsigned methods;   /* HTTP_TAKES(HTTP_GET) | …; HEAD goes with GET; 0: any */
    const char *const *types; /* that a body may have, up to NULL; NULL: any */
    unsigned flags;
    void (*handle)(struct http_handler *h, struct http_exchange *x);
};

/* A row without a path, target or methods, which takes the rest, ends a table. */
const struct http_route *http_route_find(const struct http_route *table, unsigned without,
                                         const struct http_request *request);

/* The path of "/a?b" and of "http://host/a?b", a proxy's form. */
struct span http_route_path(const char *uri);

/* The one of the types that a Content-Type header (may be NULL) names; NULL: none. Parameters and
 * case do not matter. */
const char *http_route_type(const char *header, const char *const *types);

/* Those of a form, which a page can send without a preflight. */
extern const char *const http_route_form_types[];

/* What the program answers. */
extern const struct http_route http_routes[];

#endif
