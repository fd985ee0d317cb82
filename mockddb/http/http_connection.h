/* http_connection.h: one connection: from bytes to exchanges, one at a time, and back. */
#ifndef HTTP_HTTP_CONNECTION_H
#define HTTP_HTTP_CONNECTION_H

#include "http/http_body.h"
#include "http/http_head.h"
#include "http/http_turn.h"

struct bufferevent;
struct event;

enum http_stage {
    HTTP_AT_HEAD,   /* reads a head */
    HTTP_AT_BODY,   /* reads a body */
    HTTP_READY,     /* has a request for its handler */
    HTTP_RECEIVING, /* hands on a body that is streamed */
    HTTP_PROMISED,  /* the handler will answer later */
    HTTP_WAITING,   /* has a reply that leaves after the flush */
    HTTP_DELAYED,   /* has a reply that leaves after a while */
    HTTP_SENDING,   /* has a reply that its reader has not taken whole */
    HTTP_STREAMING, /* sends a reply that is streamed */
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
    struct evbuffer *out;     /* a reply before it leaves */
    struct event *timer;      /* of a reply that is delayed */
    struct http_exchange exchange;
    int64_t due_ms;                /* when it leaves */
    int64_t moved_ms;              /* when something moved on it last */
    int64_t queued_ms;             /* when it got in line */
    size_t unsent;                 /* that the last sweep saw */
    size_t weight;                 /* bytes that it holds, if that was looked at */
    size_t held_beside;            /* room of buffers that replies which wait did not need */
    bool known;                    /* it was worked for … */
    bool slow;                     /* … and its last request took a whole turn */
    bool long_body;                /* HTTP_LONG_BODY or more */
    bool ended;                    /* its client sends no more */
    bool complete;                 /* no more of a streamed reply is to come */
    bool broken;                   /* or it cannot be had */
    struct http_connections *line; /* that it stands in; NULL: it has no work */
    bool waiting, heavy, lingering;
    TAILQ_ENTRY(http_connection) all_link, queue_link, waiting_link, heavy_link;
};

/* A connection that owns the stream. */
void http_connection_open(struct http_turn *t, struct bufferevent *stream);
void http_connection_close(struct http_connection *c);

/* Does a piece of what it got in line for; it may be gone afterwards. */
void http_connection_work(struct http_connection *c);

/* What its reply says is kept, or lost: the reply leaves, or another one; it may be gone. */
void http_connection_flushed(struct http_connection *c, bool lost);

/* Whether it waits for its client, and may be closed for the sake of another connection. */
bool http_connection_can_go(const struct http_connection *c);

/* Whether nothing has moved since the last time, and nothing is to. */
bool http_connection_is_idle(struct http_connection *c);

#endif
