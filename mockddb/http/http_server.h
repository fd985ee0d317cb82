/* http_server.h: listens, moves bytes between sockets and http_handler, and stops on a signal.
 *
 * Replies to writes into a file wait for the end of the event loop's turn, so that all writes of
 * a turn share one commit. */
#pragma once

#include "http/http_handler.h"
#include "http/http_sockets.h"
#include "http/http_tls.h"

#include <sys/types.h>

struct http_server;
struct event_base;

/* Must be called before anything of libevent is used: running out of memory then ends the process,
 * as elsewhere. */
void http_server_start(void);

/* Processes that accept connections from the same sockets: how many each has, in memory that they
 * share. One that has more than another lets the others accept first. */
struct http_share {
    _Atomic size_t *connections; /* of each process; HTTP_NO_CONNECTIONS: it accepts none */
    size_t count, own;           /* processes; this one's place; count 0: there is no other one */
};
#define HTTP_NO_CONNECTIONS SIZE_MAX

struct http_server_options {
    struct http_sockets sockets; /* the server's from then on; none: it only works in the background
                                  */
    struct http_share share;
    struct http_tls *tls; /* borrowed; NULL: plain HTTP */
};

/* A server that accepts connections in http_server_run. Borrows worlds and handler. */
struct http_server *http_server_new(const struct http_server_options *options,
                                    struct worlds *worlds, struct http_handler *handler);
void http_server_free(struct http_server *s); /* s may be NULL */

/* The URL that it listens at: "http://127.0.0.1:8000", or https. */
const char *http_server_url(const struct http_server *s);

/* Its event loop, for other kinds of events; valid until the server is freed. */
struct event_base *http_server_base(const struct http_server *s);

/* Does a turn: takes the events that have occurred, or waits for some, and handles them. */
void http_server_turn(struct http_server *s, bool wait);

/* Serves for a child process: http_server_run then serves until the child has ended (the caller
 * waits for it), and passes SIGTERM, SIGINT and SIGHUP to it. */
void http_server_serve_child(struct http_server *s, pid_t child);

/* Makes the end of standard input, a pipe, socket or terminal, stop http_server_run. */
void http_server_watch_input(struct http_server *s);

/* Serves until SIGTERM or SIGINT. */
void http_server_run(struct http_server *s);
