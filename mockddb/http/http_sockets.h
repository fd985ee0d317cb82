/* http_sockets.h: listening sockets that the program inherits, as a systemd socket unit passes them
 * (sd_listen_fds(3)): LISTEN_FDS sockets from descriptor 3 on, for the process LISTEN_PID. */
#pragma once

#include "base/arena.h"

#include <netinet/in.h>

#define HTTP_SOCKETS_FIRST 3 /* the descriptor of the first socket */
#define HTTP_SOCKETS_MOST  8

struct http_sockets {
    int count; /* 0: no sockets are inherited */
    /* The address by which the Host header is checked: the first wildcard address of the sockets,
       else the first address of the network, else the first one. In the arena. */
    const char *host;
};

/* Checks the sockets, keeps them from child processes and removes the variables. Variables that are
 * meant for another process are left alone. Returns NULL, or what is wrong. */
MUST_CHECK const char *http_sockets_inherit(struct arena *a, struct http_sockets *out);
