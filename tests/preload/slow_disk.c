/* Loaded into a program before its libraries (LD_PRELOAD): the disk is slow where the test says so.
 * While there is a FIFO at $MOCKDDB_SLOW_DISK, fsync waits in each thread but the first until the
 * test opens the FIFO to write. */
#define _GNU_SOURCE /* gettid, RTLD_NEXT */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int fsync(int fd)
{
    const char *path = getenv("MOCKDDB_SLOW_DISK");
    int (*next)(int fd);
    void *found = dlsym(RTLD_NEXT, "fsync");
    int fifo = -1;

    if (path && gettid() != getpid())
        fifo = open(path, O_RDONLY | O_CLOEXEC);
    if (fifo >= 0)
        close(fifo);
    memcpy(&next, &found, sizeof next);
    return next(fd);
}
