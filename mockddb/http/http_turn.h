/* http_turn.h: which request is next. In a turn of the event loop, requests are handled for 20 ms,
 * then their changes are flushed, their replies are sent, and new requests are read.
 *
 * Connections with work wait in line. A connection whose last request took a whole turn, or that
 * sends a long body, goes behind the others; so does a new one whose operation was that slow when
 * it was last called. So a prompt connection waits for at most one slow request. The memory of all
 * connections is counted, and when it is too much, the one that has held data longest is
 * dropped. */
#pragma once

#include "http/http_handler.h"

#include <sys/queue.h>

struct event_base;
struct http_connection;
TAILQ_HEAD(http_connections, http_connection);

#define HTTP_TURN_TARGETS 64 /* operations, by a hash of their names */

/* State shared by the connections of a server. */
struct http_turn {
    struct event_base *base;
    struct http_handler *handler;
    bool secure; /* TLS is used */
    uint16_t port;

    struct http_connections all;          /* ordered by last movement, oldest first */
    size_t count;                         /* of them */
    struct http_connections prompt, slow; /* in line with work */
    struct http_connections waiting;      /* with replies to send after the flush */
    struct http_connections heavy;        /* that hold much data, oldest first */
    struct http_connections lingering;    /* that close when their client does, or soon */
    struct http_connection *working;      /* set to NULL if it is freed */
    size_t held;                          /* bytes held by all connections */
    int64_t now_ms;                       /* clock_monotonic_ms when this turn's events arrived */
    bool slow_targets[HTTP_TURN_TARGETS]; /* operations whose last request took a whole turn */
    int64_t owed_ms;                      /* time for prompt connections before the next slow one */
    int64_t moved_ms;                     /* when bytes last moved */
    int64_t worked_ms;                    /* total time for requests */
    int64_t swept_ms;                     /* when idle connections were last searched */
    int64_t tls_ms, plain_ms;             /* when a client with or without TLS was last logged */
    struct arena *arena;
    struct buf text; /* of the current head */
};

void http_turn_open(struct http_turn *t);
void http_turn_close(struct http_turn *t); /* also closes all connections */

/* Whether there is more work than this turn had time for. */
bool http_turn_is_due(const struct http_turn *t);

/* Whether all waiting work is slow: new events may be from a prompt connection. */
bool http_turn_is_slow(const struct http_turn *t);
void http_turn_begin(struct http_turn *t); /* the events have come */
void http_turn_run(struct http_turn *t);
/* Flushes changes, and sends the replies that wait for that. */
void http_turn_flush(struct http_turn *t);

/* Closes connections without movement. */
void http_turn_sweep(struct http_turn *t);

/* Closes the connection that has waited longest for a request. Returns false if none waits. */
bool http_turn_make_way(struct http_turn *t);

/* Whether to log an event that clients can cause at will: the first time, and then not again for
 * ten minutes. *said_ms must begin with 0. */
bool http_turn_is_news(const struct http_turn *t, int64_t *said_ms);

/* Whether a reply is under way. */
bool http_turn_has_replies(const struct http_turn *t);

/* --- for connections -------------------------------------------------------------------------- */

void http_turn_add(struct http_turn *t, struct http_connection *c);  /* it has work */
void http_turn_wait(struct http_turn *t, struct http_connection *c); /* its reply is complete */
void http_turn_linger(struct http_turn *t, struct http_connection *c);
void http_turn_moved(struct http_turn *t, struct http_connection *c); /* bytes came or went */
void http_turn_weigh(struct http_turn *t, struct http_connection *c, size_t bytes);
void http_turn_forget(struct http_turn *t, struct http_connection *c);
