#include "base/file_release.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define LARGE \
    ((off_t)1 << 20) /* what is smaller is freed at once, which costs less than a thread */

static bool is_large(const struct stat *file)
{
    return S_ISREG(file->st_mode) && file->st_size >= LARGE;
}

/* The file, if it is large; else -1. */
static int open_large(const char *path)
{
    struct stat found;

    return stat(path, &found) == 0 && is_large(&found) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
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

void file_release_close(int fd)
{
    struct stat found;

    if (fd >= 0 && fstat(fd, &found) == 0 && found.st_nlink == 0 && is_large(&found))
        close_aside(fd);
    else if (fd >= 0)
        (void)close(fd);
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
