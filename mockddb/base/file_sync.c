#include "base/file_sync.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/attributes.h"
#include "base/platform.h"
#include "base/process.h"

struct file_sync {
    pthread_t thread;
    bool begun; /* false: no thread could be made, so it was done at once */
    int fd;
    atomic_bool over;
    int cause; /* errno of a failure, or 0 */
};

static int bell[2] = {-1, -1}; /* a pipe's ends */

static void make_bell(void)
{
    if (pipe(bell))
        return;
    for (size_t i = 0; i < COUNT(bell); i++) {
        (void)fcntl(bell[i], F_SETFD, FD_CLOEXEC);
        (void)fcntl(bell[i], F_SETFL, O_NONBLOCK);
    }
}

int file_sync_bell(void)
{
    static pthread_once_t made = PTHREAD_ONCE_INIT;

    (void)pthread_once(&made, make_bell);
    return bell[0];
}

void file_sync_heard(void)
{
    char rings[64];

    while (read(bell[0], rings, sizeof rings) == sizeof rings)
        ;
}

static void *sync_file(void *arg)
{
    struct file_sync *s = arg;

    if (!platform_sync(s->fd))
        s->cause = errno;
    atomic_store(&s->over, true);
    (void)!write(bell[1], "", 1); /* if the pipe is full, it is readable */
    return NULL;
}

struct file_sync *file_sync_begin(int fd)
{
    struct file_sync *s = process_zeroed(sizeof *s);
    sigset_t all, before;
    bool started;

    s->fd = fd;
    (void)file_sync_bell();
    /* The thread blocks all signals: the main thread handles them. */
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    started = pthread_create(&s->thread, NULL, sync_file, s) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    s->begun = started;
    if (!s->begun)
        (void)sync_file(s);
    return s;
}

bool file_sync_is_over(const struct file_sync *s)
{
    return atomic_load(&s->over);
}

bool file_sync_end(struct file_sync *s)
{
    int cause;

    if (!s)
        return true;
    if (s->begun)
        (void)pthread_join(s->thread, NULL);
    cause = s->cause;
    free(s);
    errno = cause;
    return cause == 0;
}
