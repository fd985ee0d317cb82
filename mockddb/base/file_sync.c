#include "base/file_sync.h"

#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/process.h"

struct file_sync {
    struct aiocb request;
    bool begun; /* false: the system has no room for it, so it was done at once */
    int cause;  /* then why it failed, or 0 */
};

struct file_sync *file_sync_begin(int fd)
{
    struct file_sync *s = calloc(1, sizeof *s);

    if (!s)
        process_out_of_memory();
    s->request.aio_fildes = fd;
    s->request.aio_sigevent.sigev_notify = SIGEV_NONE;
    s->begun = aio_fsync(O_SYNC, &s->request) == 0;
    if (!s->begun && fsync(fd))
        s->cause = errno;
    return s;
}

bool file_sync_is_over(const struct file_sync *s)
{
    return !s->begun || aio_error(&s->request) != EINPROGRESS;
}

bool file_sync_end(struct file_sync *s)
{
    int cause;

    if (!s)
        return true;
    while (!file_sync_is_over(s)) {
        const struct aiocb *const list[] = {&s->request};

        (void)aio_suspend(list, 1, NULL);
    }
    cause = s->begun ? aio_error(&s->request) : s->cause;
    if (s->begun)
        (void)aio_return(&s->request);
    free(s);
    errno = cause;
    return cause == 0;
}
