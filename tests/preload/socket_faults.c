/* Loaded into a program before its libraries (LD_PRELOAD): calls on its connections fail when the
 * test says so, through a file that both have mapped ($MOCKDDB_SOCKET_FAULTS). The n-th call of the
 * kind that is asked for fails, or moves only a few bytes, once or from then on. What fails from
 * then on does so on the connection that it met; accepting fails for everybody. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum call { NONE, WRITE, READ, ACCEPT };

/* As in tests/e2e/test_socket_faults.py. */
struct orders {
    int32_t call;  /* enum call */
    int32_t nth;   /* counted down to 1; 0: nothing is to happen */
    int32_t error; /* errno, or 0 for a call that moves `most` bytes */
    int32_t most;
    int32_t lasting;
    int32_t connection; /* that a lasting fault met, or -1 */
    int32_t hits;
};

static struct orders *orders;

__attribute__((constructor)) static void map_orders(void)
{
    const char *path = getenv("MOCKDDB_SOCKET_FAULTS");
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    void *at;

    if (fd < 0)
        return;
    at = mmap(NULL, sizeof *orders, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (at != MAP_FAILED)
        orders = at;
}

static bool is_connection(int fd)
{
    struct sockaddr_storage address = {.ss_family = AF_UNSPEC};
    socklen_t len = sizeof address;
    int cause = errno;
    bool is = getsockname(fd, (struct sockaddr *)&address, &len) == 0 &&
              (address.ss_family == AF_INET || address.ss_family == AF_INET6);

    errno = cause;
    return is;
}

/* Whether this is the call. */
static bool is_meant(enum call call, int fd)
{
    if (!orders || orders->call != (int32_t)call || orders->nth == 0 || !is_connection(fd))
        return false;
    if (orders->connection >= 0 && orders->connection != fd)
        return false;
    if (orders->nth > 1) {
        orders->nth--;
        return false;
    }
    orders->hits++;
    if (!orders->lasting)
        orders->nth = 0;
    else if (call != ACCEPT)
        orders->connection = fd;
    return true;
}

/* A descriptor that is given anew is another connection. */
static int accepted(int fd)
{
    if (orders && fd >= 0 && orders->connection == fd)
        orders->nth = 0;
    return fd;
}

static size_t shorter(size_t len)
{
    size_t most = (size_t)orders->most;

    return len < most ? len : most;
}

/* The system's own function of that name, as a pointer of the type that is asked for. */
static void find_next(const char *name, void *function)
{
    void *found = dlsym(RTLD_NEXT, name);

    if (!found)
        abort();
    memcpy(function, &found, sizeof found);
}

/* Moves as much as the first part that is not empty has, at most. */
static ssize_t move_some(ssize_t (*move)(int, const struct iovec *, int), int fd,
                         const struct iovec *parts, int count)
{
    struct iovec some;

    while (count > 1 && parts->iov_len == 0) {
        parts++;
        count--;
    }
    some = (struct iovec){.iov_base = parts->iov_base, .iov_len = shorter(parts->iov_len)};
    return move(fd, &some, 1);
}

static ssize_t move_parts(enum call call, const char *name, int fd, const struct iovec *parts,
                          int count)
{
    ssize_t (*next)(int, const struct iovec *, int);

    find_next(name, &next);
    if (!is_meant(call, fd))
        return next(fd, parts, count);
    if (!orders->error)
        return move_some(next, fd, parts, count);
    errno = orders->error;
    return -1;
}

ssize_t writev(int fd, const struct iovec *parts, int count)
{
    return move_parts(WRITE, "writev", fd, parts, count);
}

ssize_t readv(int fd, const struct iovec *parts, int count)
{
    return move_parts(READ, "readv", fd, parts, count);
}

ssize_t write(int fd, const void *bytes, size_t len)
{
    ssize_t (*next)(int, const void *, size_t);

    find_next("write", &next);
    if (!is_meant(WRITE, fd))
        return next(fd, bytes, len);
    if (!orders->error)
        return next(fd, bytes, shorter(len));
    errno = orders->error;
    return -1;
}

ssize_t read(int fd, void *bytes, size_t len)
{
    ssize_t (*next)(int, void *, size_t);

    find_next("read", &next);
    if (!is_meant(READ, fd))
        return next(fd, bytes, len);
    if (!orders->error)
        return next(fd, bytes, shorter(len));
    errno = orders->error;
    return -1;
}

int accept(int fd, __SOCKADDR_ARG address, socklen_t *restrict len)
{
    int (*next)(int, __SOCKADDR_ARG, socklen_t *);

    find_next("accept", &next);
    if (!is_meant(ACCEPT, fd))
        return accepted(next(fd, address, len));
    errno = orders->error;
    return -1;
}
