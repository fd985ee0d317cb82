#define _GNU_SOURCE
#include "base/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#ifdef MOCKDDB_MIMALLOC
#include <mimalloc.h>
#endif
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

bool platform_program(char *path, size_t size)
{
    ssize_t len = readlink("/proc/self/exe", path, size);

    if (len <= 0 || (size_t)len == size)
        return false;
    path[len] = '\0';
    return true;
}

bool platform_random(void *bytes, size_t len)
{
    /* glibc before 2.25 has no function for it */
    return syscall(SYS_getrandom, bytes, len, 0) == (long)len;
}

void *platform_reserve(size_t size)
{
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                    -1, 0);

    return at == MAP_FAILED ? NULL : at;
}

void platform_want_huge_pages(void *at, size_t size)
{
    (void)madvise(at, size, MADV_HUGEPAGE);
}

void platform_return_pages(void *at, size_t size)
{
    (void)madvise(at, size, MADV_DONTNEED);
}

void platform_forget_pages(void *at, size_t size)
{
    (void)madvise(at, size, MADV_DONTNEED);
}

size_t platform_block_size(void *block)
{
    return malloc_usable_size(block);
}

#ifdef MOCKDDB_MIMALLOC

void mi_return_all(void); /* packages/static/libraries/mimalloc.c */

static void start_heap(void)
{
    mi_option_set(mi_option_use_numa_nodes, 1); /* else it looks for more */
}

const struct platform_heap platform_heap = {.start = start_heap, .trim = mi_return_all};

#elif defined(__GLIBC__)

#define MB (1024 * 1024)

static void start_heap(void)
{
    mallopt(M_MMAP_THRESHOLD, 256 * MB);
    mallopt(M_TOP_PAD, 16 * MB);
}

static void keep_heap(size_t kept)
{
    mallopt(M_TRIM_THRESHOLD, kept < INT_MAX ? (int)kept : INT_MAX);
}

static const char *heap_end(void)
{
    return sbrk(0);
}

static void trim_heap(void)
{
    (void)malloc_trim(0);
}

const struct platform_heap platform_heap = {start_heap, keep_heap, heap_end, trim_heap};

#else /* musl returns memory as soon as a group of its blocks is free */

const struct platform_heap platform_heap = {NULL, NULL, NULL, NULL};

#endif

struct timespec platform_changed(const struct stat *file)
{
    return file->st_mtim;
}

bool platform_sync(int fd)
{
    return fsync(fd) == 0;
}

bool platform_lock_for_reading(int fd, int64_t from, int64_t bytes)
{
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = from, .l_len = bytes};

    return fcntl(fd, F_OFD_SETLK, &lock) == 0;
}

void platform_begin_writing(int fd)
{
    (void)sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE);
}

bool platform_get_blocks(int fd, int64_t from, int64_t bytes)
{
    int result;

    do {
        result = fallocate(fd, FALLOC_FL_KEEP_SIZE, from, bytes);
    } while (result && errno == EINTR);
    return result == 0;
}
