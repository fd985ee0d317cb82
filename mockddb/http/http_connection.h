/* http_connection.h: one connection: reads exchanges from its bytes, one at a time, and writes the
 * replies. */
#pragma once

#include "http/http_body.h"
#include "http/http_head.h"
#include "http/http_turn.h"

struct bufferevent;
struct event;

enum http_stage {
    HTTP_AT_HEAD,   /* reads a head */
    HTTP_AT_BODY,   /* reads a body */
    HTTP_READY,     /* has a request for its handler */
    HTTP_RECEIVING, /* receives a streamed body */
    HTTP_PROMISED,  /* its handler will answer later */
    HTTP_WAITING,   /* its reply is sent after the flush */
    HTTP_DELAYED,   /* its reply is delayed */
    HTTP_SENDING,   /* its reply is partly sent */
    HTTP_STREAMING, /* sends a streamed reply */
    HTTP_LINGERING, /* has sent its last reply */
};

/* Members are for http_connection and http_turn. */
struct http_connection {
    struct http_turn *turn;
    struct bufferevent *stream;
    enum http_stage stage;
    struct http_head head;
    struct http_body body;
    struct evbuffer *content; /* of the body */
    struct evbuffer *out;     /* the reply before it is sent */
    struct event *timer;      /* for a delayed reply */
    struct http_exchange exchange;
    int64_t due_ms;                /* when a delayed reply is sent */
    int64_t moved_ms;              /* when bytes last moved */
    int64_t queued_ms;             /* when it was put in line */
    size_t unsent;                 /* at the last sweep */
    size_t weight;                 /* bytes that it holds, at the last count */
    size_t held_beside;            /* unused buffer space that waiting replies hold */
    bool known;                    /* it has had a request … */
    bool slow;                     /* … and its last request took a whole turn */
    bool long_body;                /* HTTP_LONG_BODY or more */
    bool ended;                    /* its client sends no more */
    bool complete;                 /* the streamed reply is complete */
    bool broken;                   /* … or failed */
    struct http_connections *line; /* the line that it is in; NULL: it has no work */
    bool waiting, heavy, lingering;
    TAILQ_ENTRY(http_connection) all_link, queue_link, waiting_link, heavy_link;
};

/* Starts a connection, which owns the stream. */
void http_connection_open(struct http_turn *t, struct bufferevent *stream);
void http_connection_close(struct http_connection *c);

/* Does a piece of its work; the connection may be freed by it. */
void http_connection_work(struct http_connection *c);

/* What its reply reports is durable, or lost: sends the reply, or an error; the connection may be
 * freed. */
void http_connection_flushed(struct http_connection *c, bool lost);

/* Whether it waits for its client, so that it may be closed to make room. */
bool http_connection_can_go(const struct http_connection *c);

/* Whether nothing has moved since the last call, and nothing is about to. */
bool http_connection_is_idle(struct http_connection *c);
