/* far.c: a proxy between sockets, which makes a database as far away as the command line says.
 *
 *   bench_far SOCKET TARGET MICROSECONDS
 *
 * Listens at a UNIX socket and connects to another one for each client. What a client sends arrives
 * that much later; answers pass at once, so that this is the time of a whole trip. What is sent
 * meanwhile is not held up by what was sent before. Prints a line when it listens, and runs until
 * it is ended. */
#define _GNU_SOURCE /* ppoll */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define MOST  128       /* connections */
#define CHUNK (1 << 18) /* bytes that wait in a connection at most */

/* What waits: one chunk at a time, as a client waits for its answer before it sends more. */
struct pair {
    int client, database;
    char *data;
    size_t length;
    double due_us;
};

static struct pair pairs[MOST];
static size_t pair_count;

static double now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static int fail(const char *doing)
{
    perror(doing);
    exit(EXIT_FAILURE);
}

static struct sockaddr_un address_of(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    if (strlen(path) >= sizeof address.sun_path)
        fail("the path of a socket is too long");
    memcpy(address.sun_path, path, strlen(path));
    return address;
}

static int open_socket(void)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    return fd < 0 ? fail("socket") : fd;
}

static void accept_client(int listener, const char *target)
{
    struct sockaddr_un address = address_of(target);
    int client = accept(listener, NULL, NULL), database = open_socket();

    if (client < 0 || pair_count == MOST ||
        connect(database, (struct sockaddr *)&address, sizeof address)) {
        close(client);
        close(database);
        return;
    }
    pairs[pair_count] = (struct pair){.client = client, .database = database};
    if (!(pairs[pair_count++].data = malloc(CHUNK)))
        fail("malloc");
}

static void close_pair(struct pair *p)
{
    close(p->client);
    close(p->database);
    free(p->data);
    *p = pairs[--pair_count];
}

/* Returns false at the end of the connection. */
static int write_all(int fd, const char *data, size_t length)
{
    ssize_t count;

    while (length && (count = send(fd, data, length, MSG_NOSIGNAL)) > 0) {
        data += count;
        length -= (size_t)count;
    }
    return !length;
}

static int pass_back(const struct pair *p)
{
    static char data[CHUNK];
    ssize_t count = recv(p->database, data, sizeof data, 0);

    return count > 0 && write_all(p->client, data, (size_t)count);
}

static int take_chunk(struct pair *p, double delay_us)
{
    ssize_t count = recv(p->client, p->data + p->length, CHUNK - p->length, 0);

    if (count <= 0)
        return 0;
    if (!p->length)
        p->due_us = now_us() + delay_us;
    p->length += (size_t)count;
    return 1;
}

/* Sends what is due; returns the time until the next chunk is, or -1. */
static double send_due(void)
{
    double next = -1, now = now_us();

    for (size_t i = pair_count; i-- > 0;) {
        struct pair *p = &pairs[i];
        double left = p->due_us - now;

        if (!p->length)
            continue;
        if (left <= 0) {
            if (write_all(p->database, p->data, p->length))
                p->length = 0;
            else
                close_pair(p);
        } else if (next < 0 || left < next) {
            next = left;
        }
    }
    return next;
}

static void serve(int listener, const char *target, double delay_us)
{
    struct pollfd ready[1 + 2 * MOST];

    for (;;) {
        double wait_us = send_due();
        struct timespec wait = {.tv_sec = (time_t)(wait_us / 1e6),
                                .tv_nsec = (long)(wait_us * 1e3) % 1000000000};

        ready[0] = (struct pollfd){.fd = listener, .events = POLLIN};
        for (size_t i = 0; i < pair_count; i++) {
            ready[1 + 2 * i] = (struct pollfd){.fd = pairs[i].length < CHUNK ? pairs[i].client : -1,
                                               .events = POLLIN};
            ready[2 + 2 * i] = (struct pollfd){.fd = pairs[i].database, .events = POLLIN};
        }
        if (ppoll(ready, 1 + 2 * pair_count, wait_us < 0 ? NULL : &wait, NULL) < 0 &&
            errno != EINTR)
            fail("poll");
        for (size_t i = pair_count; i-- > 0;)
            if ((ready[2 + 2 * i].revents && !pass_back(&pairs[i])) ||
                (ready[1 + 2 * i].revents && !take_chunk(&pairs[i], delay_us)))
                close_pair(&pairs[i]);
        if (ready[0].revents)
            accept_client(listener, target);
    }
}

int main(int count, char **words)
{
    struct sockaddr_un address;
    int listener = open_socket();

    if (count != 4) {
        fprintf(stderr, "usage: bench_far SOCKET TARGET MICROSECONDS\n");
        return 2;
    }
    address = address_of(words[1]);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, MOST))
        fail(words[1]);
    printf("listening at %s\n", words[1]);
    fflush(stdout);
    serve(listener, words[2], atof(words[3]));
}
