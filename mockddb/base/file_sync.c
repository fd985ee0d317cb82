#include "base/file_sync.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/process.h"

struct file_sync {
    pthread_t thread;
    bool begun; /* false: no thread could be made, so it was done at once */
    int fd, bell;
    atomic_bool over;
    int cause; /* errno of a failure, or 0 */
};

static int the_bell = -1;

int file_sync_bell(void)
{
    if (the_bell < 0)
        the_bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return the_bell;
}

void file_sync_heard(void)
{
    uint64_t count;

    (void)!read(the_bell, &count, sizeof count);
}

static void *sync_file(void *arg)
{
    const uint64_t one = 1;
    struct file_sync *s = arg;

    if (fsync(s->fd))
        s->cause = errno;
    atomic_store(&s->over, true);
    (void)!write(s->bell, &one, sizeof one);
    return NULL;
}

/* The thread blocks all signals: the main thread handles them. */
static bool start_thread(struct file_sync *s)
{
    sigset_t all, before;
    bool started;

    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    started = pthread_create(&s->thread, NULL, sync_file, s) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

struct file_sync *file_sync_begin(int fd)
{
    struct file_sync *s = process_zeroed(sizeof *s);

    s->fd = fd;
    s->bell = file_sync_bell();
    s->begun = start_thread(s);
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
