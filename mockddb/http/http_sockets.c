#include "http/http_sockets.h"

#include "base/option.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

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
    in_port_t port = 0;

    for (int fd = HTTP_SOCKETS_FIRST; fd < HTTP_SOCKETS_FIRST + out->count; fd++) {
        union socket_address address;
        const void *host = &address.v4.sin_addr;
        char text[INET6_ADDRSTRLEN];

        if (!read_address(fd, &address))
            return arena_printf(a, "LISTEN_FDS: descriptor %d is not a listening TCP socket", fd);
        if (address.any.sa_family == AF_INET6)
            host = &address.v6.sin6_addr;
        if (out->host && address.v4.sin_port != port) /* at the same place in both families */
            return "LISTEN_FDS: the sockets have different ports";
        port = address.v4.sin_port;
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
