/* http_server.h: listens, moves bytes between sockets and http_handler, and stops on a signal.
 *
 * Replies to writes into a file wait for the end of the event loop's turn, so that all writes of
 * a turn share one commit. */
#ifndef HTTP_HTTP_SERVER_H
#define HTTP_HTTP_SERVER_H

#include "http/http_handler.h"
#include "http/http_tls.h"

#include <sys/types.h>

struct http_server;
struct event_base;

/* What libevent needs in the whole process, before anything of it is used: its buffers come to an
 * end with memory as everything else does. */
void http_server_start(void);

#define HTTP_LOOPBACK "127.0.0.1"

struct http_server_options {
    const char *host;     /* address or name; NULL: HTTP_LOOPBACK, and ::1 where it can be had */
    uint16_t port;        /* 0: any that is free */
    struct http_tls *tls; /* borrowed; NULL: plain HTTP */
};

/* Listens, and accepts from http_server_run on. NULL, and *problem one sentence in the arena, when
 * that cannot be. Borrows worlds and handler. */
struct http_server *http_server_new(struct arena *a, const struct http_server_options *options,
                                    struct worlds *worlds, struct http_handler *handler,
                                    const char **problem);
void http_server_free(struct http_server *s); /* s may be NULL */

/* "http://127.0.0.1:8000", or https: where it listens. */
const char *http_server_url(const struct http_server *s);

/* Its loop, for whoever waits for events of another kind: until the server is freed. */
struct event_base *http_server_base(const struct http_server *s);

/* One turn: takes the events that are there, or waits for some, and works on them. */
void http_server_turn(struct http_server *s, bool wait);

/* Serves for a process that this one has started: what http_server_run does, it does until that has
 * ended (which is left for the caller to wait for), and SIGTERM, SIGINT and SIGHUP go on to it. */
void http_server_serve_child(struct http_server *s, pid_t child);

/* Serves until SIGTERM or SIGINT. */
void http_server_run(struct http_server *s);

#endif
