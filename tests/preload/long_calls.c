/* Loaded into a program before its libraries (LD_PRELOAD): notes the calls of the first thread that
 * last as long as a file is large. Each is a line in the file $MOCKDDB_LONG_CALLS: the call and the
 * bytes that the system frees or writes in it. */
#define _GNU_SOURCE /* gettid, RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LARGE       ((off_t)8 << 20) /* bytes; a turn's writes have less, and are not noted */
#define DESCRIPTORS 256              /* that are looked at */

static void note_call(const char *call, off_t bytes)
{
    const char *path = getenv("MOCKDDB_LONG_CALLS");
    int cause = errno;
    FILE *out;

    if (path && gettid() == getpid() && bytes >= LARGE && (out = fopen(path, "ae"))) {
        fprintf(out, "%s %lld\n", call, (long long)bytes);
        fclose(out);
    }
    errno = cause;
}

static off_t size_of(int fd)
{
    struct stat file;

    return fstat(fd, &file) == 0 && S_ISREG(file.st_mode) ? file.st_size : 0;
}

/* What the system frees if the descriptor, or the file's last name, goes: nothing while another
 * descriptor of the file is open. */
static off_t freed_bytes(const struct stat *file, int without)
{
    struct stat other;

    for (int fd = 0; fd < DESCRIPTORS; fd++)
        if (fd != without && fstat(fd, &other) == 0 && other.st_dev == file->st_dev &&
            other.st_ino == file->st_ino)
            return 0;
    return S_ISREG(file->st_mode) ? file->st_size : 0;
}

static off_t freed_by_name(const char *path)
{
    struct stat file;

    return stat(path, &file) == 0 && file.st_nlink == 1 ? freed_bytes(&file, -1) : 0;
}

int close(int fd)
{
    int (*next)(int fd);
    void *found = dlsym(RTLD_NEXT, "close");
    struct stat file;

    if (fstat(fd, &file) == 0 && file.st_nlink == 0)
        note_call("close", freed_bytes(&file, fd));
    memcpy(&next, &found, sizeof next);
    return next(fd);
}

int unlink(const char *path)
{
    int (*next)(const char *path);
    void *found = dlsym(RTLD_NEXT, "unlink");

    note_call("unlink", freed_by_name(path));
    memcpy(&next, &found, sizeof next);
    return next(path);
}

int rename(const char *from, const char *to)
{
    int (*next)(const char *from, const char *to);
    void *found = dlsym(RTLD_NEXT, "rename");

    note_call("rename", freed_by_name(to));
    memcpy(&next, &found, sizeof next);
    return next(from, to);
}

int fsync(int fd)
{
    int (*next)(int fd);
    void *found = dlsym(RTLD_NEXT, "fsync");

    note_call("fsync", size_of(fd));
    memcpy(&next, &found, sizeof next);
    return next(fd);
}

/* The bytes by which the file grew since the last call for it: the others are on their way. */
static off_t asked_bytes(int fd)
{
    static struct {
        dev_t device;
        ino_t inode;
        off_t size;
    } known[DESCRIPTORS];
    struct stat file;
    off_t before;

    if (fd >= DESCRIPTORS || fstat(fd, &file))
        return 0;
    before = known[fd].device == file.st_dev && known[fd].inode == file.st_ino ? known[fd].size : 0;
    known[fd].device = file.st_dev;
    known[fd].inode = file.st_ino;
    known[fd].size = file.st_size;
    return file.st_size - before;
}

int sync_file_range(int fd, off_t offset, off_t bytes, unsigned flags)
{
    int (*next)(int fd, off_t offset, off_t bytes, unsigned flags);
    void *found = dlsym(RTLD_NEXT, "sync_file_range");

    if (gettid() == getpid())
        note_call("sync_file_range", bytes ? bytes : asked_bytes(fd));
    memcpy(&next, &found, sizeof next);
    return next(fd, offset, bytes, flags);
}
