/* http_admin.h: the verbs of admin/ as routes, and requests that have to wait for a verb.
 *
 * The reply of a verb that works in slices is held until the end. Requests to a world wait while
 * its clock advances, or while it is copied; other worlds are served. */
#pragma once

#include "admin/admin.h"
#include "http/http_exchange.h"

struct http_handler;
struct http_admin;

struct http_admin *http_admin_new(struct worlds *worlds, const struct admin_patterns *patterns);
void http_admin_free(struct http_admin *a); /* a may be NULL */

/* A route's handler. */
void http_admin_verb(struct http_handler *h, struct http_exchange *x);

/* An uploaded body. */
struct http_admin_file {
    const char *path; /* NULL: the request has none */
    struct arena *arena;
};

/* Like http_admin_verb, for a request whose body is in a file; takes the file over, and removes it
 * when the verb has opened it. */
void http_admin_file_verb(struct http_handler *h, struct http_exchange *x,
                          struct http_admin_file file);

/* Calls a verb for another handler, which answers the exchange when `take` gets the verb's answer:
 * at once, or after the exchange was held. Or the handler is called again, and must call the verb
 * again. At until_us (clock_ticks_us; 0: never), or when the disk that it waits for is done, the
 * verb's work is ended, the answer is NULL; and what waits before its work is called again. Takes
 * the file over, which may have no path. */
typedef void http_admin_take(struct http_handler *h, struct http_exchange *x,
                             const struct admin_reply *answer);
void http_admin_ask(struct http_handler *h, struct http_exchange *x,
                    const struct admin_request *request, const struct http_admin_file *file,
                    int64_t until_us, http_admin_take *take);

/* All lines of an answer that has an end; ends the stream. */
struct span http_admin_lines(struct http_handler *h, struct arena *a, struct admin_stream *stream);

/* Holds a request for a turn; then its route's handler is called again. */
void http_admin_hold(struct http_handler *h, struct http_exchange *x);

/* Like http_admin_hold, until the world's clock has arrived, or until a copy of a world has
 * ended. */
void http_admin_hold_for_clock(struct http_handler *h, struct http_exchange *x,
                               const struct world *world);
void http_admin_hold_for_copy(struct http_handler *h, struct http_exchange *x);

/* A request was answered: readers that follow the journal may have something to read. */
void http_admin_wake(struct http_handler *h);

/* Whether a held exchange can continue now; false if all wait for the disk (file_sync_bell). */
bool http_admin_is_due(const struct http_handler *h);
/* Does a slice of each verb at work. */
void http_admin_step(struct http_handler *h);
