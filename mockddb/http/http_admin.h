/* http_admin.h: the verbs of admin/ as routes, and requests that have to wait for one.
 *
 * A verb that works in slices holds its reply until it is done. Requests to a world whose clock is
 * on its way wait until it has arrived, those to a world that is copied until it has been; other
 * worlds' are served. */
#ifndef HTTP_HTTP_ADMIN_H
#define HTTP_HTTP_ADMIN_H

#include "admin/admin.h"
#include "http/http_exchange.h"

struct http_handler;
struct http_admin;

struct http_admin *http_admin_new(struct worlds *worlds, const struct admin_patterns *patterns);
void http_admin_free(struct http_admin *a); /* a may be NULL */

/* A route's handler. */
void http_admin_verb(struct http_handler *h, struct http_exchange *x);

/* The same for a request whose body is in a file. */
void http_admin_file_verb(struct http_handler *h, struct http_exchange *x, const char *file);

/* Holds a request for a turn; then its route's handler is called again. */
void http_admin_hold(struct http_handler *h, struct http_exchange *x);

/* The same until the world's clock has arrived; until one more copy of a world has ended. */
void http_admin_hold_for_clock(struct http_handler *h, struct http_exchange *x,
                               const struct world *world);
void http_admin_hold_for_copy(struct http_handler *h, struct http_exchange *x);

/* A request was answered: whoever follows what is asked may have something to read. */
void http_admin_wake(struct http_handler *h);

/* Whether one of them can continue now; false where all wait for the disk (file_sync_bell). */
bool http_admin_is_due(const struct http_handler *h);
/* A slice of each verb at work. */
void http_admin_step(struct http_handler *h);

#endif
