#include "http/http_sockets.h"

#include "base/log.h"
#include "base/option.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define INHERITED_FROM 3 /* the descriptor of the first inherited socket */
#define BACKLOG        1024
#define LOOPBACK_IPV6  "::1"
#define PORT_TRIES     16 /* of random ports, until one is free at both loopback addresses */

union socket_address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    struct sockaddr_storage room;
};

/* How far the address reaches. */
enum reach { LOOPBACK, NETWORK, EVERYWHERE };

static enum reach reach_of(const union socket_address *address)
{
    uint32_t v4 = ntohl(address->v4.sin_addr.s_addr);

    if (address->any.sa_family == AF_INET)
        return v4 == INADDR_ANY ? EVERYWHERE : v4 >> 24 == 127 ? LOOPBACK : NETWORK;
    if (IN6_IS_ADDR_UNSPECIFIED(&address->v6.sin6_addr))
        return EVERYWHERE;
    return IN6_IS_ADDR_LOOPBACK(&address->v6.sin6_addr) ? LOOPBACK : NETWORK;
}

/* Reads the address of a listening TCP socket; returns false for other descriptors. */
static bool read_address(int fd, union socket_address *out)
{
    socklen_t len = sizeof *out, size = sizeof(int);
    int listens = 0, flags = fcntl(fd, F_GETFL);

    if (getsockname(fd, &out->any, &len) ||
        getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) || !listens)
        return false;
    return (out->any.sa_family == AF_INET || out->any.sa_family == AF_INET6) &&
           fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0;
}

static const char *check_sockets(struct arena *a, struct http_sockets *out)
{
    enum reach reach = LOOPBACK;

    for (int fd = INHERITED_FROM; fd < INHERITED_FROM + out->count; fd++) {
        union socket_address address;
        const void *host = &address.v4.sin_addr;
        char text[INET6_ADDRSTRLEN];

        if (!read_address(fd, &address))
            return arena_printf(a, "LISTEN_FDS: descriptor %d is not a listening TCP socket", fd);
        if (address.any.sa_family == AF_INET6)
            host = &address.v6.sin6_addr;
        out->at[fd - INHERITED_FROM] = fd;
        if (out->host && ntohs(address.v4.sin_port) != out->port) /* in both families' addresses */
            return "LISTEN_FDS: the sockets have different ports";
        out->port = ntohs(address.v4.sin_port);
        if (out->host && reach_of(&address) <= reach)
            continue;
        reach = reach_of(&address);
        out->host = arena_printf(a, "%s",
                                 inet_ntop(address.any.sa_family, host, text, sizeof text));
    }
    return NULL;
}

const char *http_sockets_inherit(struct arena *a, struct http_sockets *out)
{
    const char *pid = getenv("LISTEN_PID"), *count = getenv("LISTEN_FDS");
    int64_t number;

    *out = (struct http_sockets){.count = 0};
    if (!pid || !count || !option_read_number(pid, 1, INT_MAX, &number) || number != getpid())
        return NULL;
    if (!option_read_number(count, 0, HTTP_SOCKETS_MOST, &number))
        return arena_printf(a, "LISTEN_FDS is %s, not a number from 0 to %d", count,
                            HTTP_SOCKETS_MOST);
    out->count = (int)number;
    (void)unsetenv("LISTEN_PID");
    (void)unsetenv("LISTEN_FDS");
    (void)unsetenv("LISTEN_FDNAMES");
    return check_sockets(a, out);
}

/* --- making them ------------------------------------------------------------------------------ */

static int bind_socket(const struct addrinfo *to)
{
    int fd = socket(to->ai_family, SOCK_STREAM, 0), on = 1;

    if (fd >= 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && fcntl(fd, F_SETFL, O_NONBLOCK) == 0 &&
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
        bind(fd, to->ai_addr, to->ai_addrlen) == 0 && listen(fd, BACKLOG) == 0)
        return fd;
    on = errno;
    if (fd >= 0)
        (void)close(fd);
    errno = on;
    return -1;
}

/* Adds a socket. Returns NULL, or a sentence; *cause is the system's error then, 0 if the host was
 * not found. */
static const char *listen_at(struct arena *a, const char *host, uint16_t number,
                             struct http_sockets *out, int *cause)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    union socket_address address;
    struct addrinfo *found;
    char port[8];
    int result, fd;

    *cause = 0;
    (void)snprintf(port, sizeof port, "%u", (unsigned)number);
    if ((result = getaddrinfo(host, port, &hints, &found)))
        return arena_printf(a, "cannot listen on %s: %s", host, gai_strerror(result));
    fd = bind_socket(found);
    *cause = errno;
    freeaddrinfo(found);
    if (fd < 0 && *cause == EADDRINUSE)
        return arena_printf(a, "port %u of %s is in use", (unsigned)number, host);
    if (fd < 0 || !read_address(fd, &address))
        return arena_printf(a, "cannot listen on port %u of %s: %s", (unsigned)number, host,
                            strerror(*cause));
    out->at[out->count++] = fd;
    out->port = ntohs(address.v4.sin_port); /* at the same place in both families */
    return NULL;
}

/* Listens at both loopback addresses with the same port, since "localhost" may be either. A port
 * that is free only with IPv4 is used if it was requested, or if there is no other. */
static const char *listen_at_loopback(struct arena *a, uint16_t port, struct http_sockets *out)
{
    const char *problem = NULL, *without = NULL;
    int cause;

    for (int i = 0; i < PORT_TRIES; i++) {
        if (out->count)
            (void)close(out->at[--out->count]);
        if ((problem = listen_at(a, HTTP_LOOPBACK, port, out, &cause)))
            return problem;
        without = listen_at(a, LOOPBACK_IPV6, out->port, out, &cause);
        if (!without || port || cause != EADDRINUSE)
            break;
    }
    if (without)
        log_error("%s; only " HTTP_LOOPBACK " is served", without);
    return NULL;
}

const char *http_sockets_open(struct arena *a, const char *host, uint16_t port,
                              struct http_sockets *out)
{
    int cause;

    *out = (struct http_sockets){.host = host ? host : HTTP_LOOPBACK};
    return host ? listen_at(a, host, port, out, &cause) : listen_at_loopback(a, port, out);
}

void http_sockets_url(const struct http_sockets *s, bool secure, char *out, size_t size)
{
    const char *host = s->count ? s->host : "";

    (void)snprintf(out, size, strchr(host, ':') ? "%s://[%s]:%u" : "%s://%s:%u",
                   secure ? "https" : "http", host, (unsigned)s->port);
}
