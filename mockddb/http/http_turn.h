/* http_turn.h: whose request is next. A turn of the event loop has 20 ms for requests, then what
 * they changed is flushed, their replies leave, and new ones are read.
 *
 * Connections that have work wait in line. One whose last request took a whole turn, or that comes
 * with a long body, goes behind the others; so does a new one whose operation took as long when it
 * was last asked for. Whoever is prompt so waits for one slow request at most. What they hold is
 * added up, and the one that has held on the longest is dropped when it is too much. */
#ifndef HTTP_HTTP_TURN_H
#define HTTP_HTTP_TURN_H

#include "http/http_handler.h"

#include <sys/queue.h>

struct event_base;
struct http_connection;
TAILQ_HEAD(http_connections, http_connection);

#define HTTP_TURN_TARGETS 64 /* operations, by a hash of their names */

/* What the connections of a server share. */
struct http_turn {
    struct event_base *base;
    struct http_handler *handler;
    bool secure; /* through TLS */
    uint16_t port;

    struct http_connections all;          /* the one on which nothing moved for the longest first */
    size_t count;                         /* of them */
    struct http_connections prompt, slow; /* with work, in line */
    struct http_connections waiting;      /* with replies that leave after the flush */
    struct http_connections heavy;        /* that hold much, the most ancient first */
    struct http_connections lingering;    /* that close when their client does, or soon */
    struct http_connection *working;      /* NULL when it is gone */
    size_t held;                          /* bytes, of all */
    int64_t now_ms;                       /* http_turn_clock when this turn's events came */
    bool slow_targets[HTTP_TURN_TARGETS]; /* which took a whole turn last */
    int64_t owed_ms;                      /* which prompt ones have before the next slow one */
    int64_t moved_ms;                     /* when something came or went last */
    int64_t worked_ms;                    /* in all, for requests */
    int64_t swept_ms;                     /* when idle connections were looked for */
    int64_t tls_ms, plain_ms; /* when it was said last that a client speaks TLS, or does not */
    struct arena *arena;
    struct buf text; /* of the head at hand */
};

void http_turn_open(struct http_turn *t);
void http_turn_close(struct http_turn *t); /* and all connections */

/* Whether there is more work than this turn had time for. */
bool http_turn_is_due(const struct http_turn *t);

/* Whether all that waits is slow: events that have come meanwhile may be of somebody who is not. */
bool http_turn_is_slow(const struct http_turn *t);
void http_turn_begin(struct http_turn *t); /* the events have come */
void http_turn_run(struct http_turn *t);
/* What was changed is flushed, and the replies that wait for that leave. */
void http_turn_flush(struct http_turn *t);

/* Milliseconds, from some moment on. */
int64_t http_turn_clock(void);

/* Closes connections on which nothing moves. */
void http_turn_sweep(struct http_turn *t);

/* Closes the connection on which nothing moved for the longest, of those that wait for a request.
 * Returns false where no connection waits. */
bool http_turn_make_way(struct http_turn *t);

/* Whether something that clients can bring about at will is to be said: the first time, and not
 * again for ten minutes. *said_ms begins with 0. */
bool http_turn_is_news(const struct http_turn *t, int64_t *said_ms);

/* Whether a reply is on its way. */
bool http_turn_has_replies(const struct http_turn *t);

/* --- for connections -------------------------------------------------------------------------- */

void http_turn_add(struct http_turn *t, struct http_connection *c);  /* it has work */
void http_turn_wait(struct http_turn *t, struct http_connection *c); /* its reply is there */
void http_turn_linger(struct http_turn *t, struct http_connection *c);
void http_turn_moved(struct http_turn *t, struct http_connection *c); /* something came or went */
void http_turn_weigh(struct http_turn *t, struct http_connection *c, size_t bytes);
void http_turn_forget(struct http_turn *t, struct http_connection *c);

#endif
