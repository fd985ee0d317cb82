/* http_sockets.h: listening sockets: made, or inherited, as a systemd socket unit passes them
 * (sd_listen_fds(3)): LISTEN_FDS sockets from descriptor 3 on, for the process LISTEN_PID. */
#pragma once

#include "base/arena.h"

#include <netinet/in.h>

#define HTTP_LOOPBACK     "127.0.0.1"
#define HTTP_SOCKETS_MOST 8

struct http_sockets {
    int at[HTTP_SOCKETS_MOST]; /* descriptors */
    int count;
    uint16_t port;
    /* The address by which the Host header is checked: the one that was asked for; of inherited
       sockets the first wildcard address, else the first address of the network, else the first
       one. In the arena. */
    const char *host;
};

/* Checks the sockets, keeps them from child processes and removes the variables. Variables that are
 * meant for another process are left alone. Returns NULL, or what is wrong. */
MUST_CHECK const char *http_sockets_inherit(struct arena *a, struct http_sockets *out);

/* Listens. host: address or name; NULL: HTTP_LOOPBACK, and ::1 if available. port 0: any free one.
 * Returns NULL, or a sentence in the arena. */
MUST_CHECK const char *http_sockets_open(struct arena *a, const char *host, uint16_t port,
                                         struct http_sockets *out);

/* The URL of the first one: "http://127.0.0.1:8000", or https. */
void http_sockets_url(const struct http_sockets *s, bool secure, char *out, size_t size);
