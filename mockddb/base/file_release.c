#include "base/file_release.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define LARGE \
    ((off_t)1 << 20) /* what is smaller is freed at once, which costs less than a thread */

/* The file, if it is large; else -1. */
static int open_large(const char *path)
{
    struct stat found;
    int fd = -1;

    if (stat(path, &found) == 0 && S_ISREG(found.st_mode) && found.st_size >= LARGE)
        fd = open(path, O_RDONLY | O_CLOEXEC);
    return fd;
}

static void *close_file(void *fd)
{
    (void)close((int)(intptr_t)fd);
    return NULL;
}

/* Signals are the main thread's. */
static void close_aside(int fd)
{
    pthread_t thread;
    sigset_t all, before;

    if (fd < 0)
        return;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&thread, NULL, close_file, (void *)(intptr_t)fd))
        (void)close(fd);
    else
        (void)pthread_detach(thread);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

int file_release_unlink(const char *path)
{
    int fd = open_large(path), result = unlink(path), cause = errno;

    close_aside(fd);
    errno = cause;
    return result;
}

int file_release_rename(const char *from, const char *to)
{
    int fd = open_large(to), result = rename(from, to), cause = errno;

    close_aside(fd);
    errno = cause;
    return result;
}
