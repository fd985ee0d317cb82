#include "base/platform.h"

#include <fcntl.h>
#include <mach-o/dyld.h>
#include <malloc/malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

bool platform_program(char *path, size_t size)
{
    char named[4096], *real;
    uint32_t room = sizeof named;
    bool fits;

    if (_NSGetExecutablePath(named, &room) || !(real = realpath(named, NULL)))
        return false;
    fits = strlcpy(path, real, size) < size;
    free(real);
    return fits;
}

bool platform_random(void *bytes, size_t len)
{
    arc4random_buf(bytes, len);
    return true;
}

void *platform_reserve(size_t size)
{
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                    -1, 0);

    return at == MAP_FAILED ? NULL : at;
}

void platform_want_huge_pages(void *at, size_t size)
{
    (void)at, (void)size;
}

void platform_return_pages(void *at, size_t size)
{
    (void)madvise(at, size, MADV_FREE);
}

void platform_forget_pages(void *at, size_t size)
{
    (void)madvise(at, size, MADV_DONTNEED);
}

size_t platform_block_size(void *block)
{
    return malloc_size(block);
}

static void trim_heap(void)
{
    (void)malloc_zone_pressure_relief(NULL, 0);
}

const struct platform_heap platform_heap = {.trim = trim_heap};

struct timespec platform_changed(const struct stat *file)
{
    return file->st_mtimespec;
}

/* fsync leaves the data in the disk's own memory. A file system without F_FULLFSYNC has fsync. */
bool platform_sync(int fd)
{
    return fcntl(fd, F_FULLFSYNC) == 0 || fsync(fd) == 0;
}

bool platform_lock_for_reading(int fd, int64_t from, int64_t bytes)
{
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = from, .l_len = bytes};

    return fcntl(fd, F_OFD_SETLK, &lock) == 0;
}

void platform_begin_writing(int fd)
{
    (void)fd;
}

bool platform_get_blocks(int fd, int64_t from, int64_t bytes)
{
    fstore_t blocks = {
        .fst_flags = F_ALLOCATEALL, .fst_posmode = F_PEOFPOSMODE, .fst_length = bytes};

    (void)from; /* the blocks come after the file's last one */
    return fcntl(fd, F_PREALLOCATE, &blocks) == 0;
}
