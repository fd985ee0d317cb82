#include "base/file.h"

#include "base/buf.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define PART ((size_t)64 * 1024)

const char *file_error(struct arena *a, const char *path)
{
    return arena_printf(a, "%s: %s", path, strerror(errno));
}

const char *file_base(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* A file's size plus one byte, to find its end; a fixed size for a pipe, which has no size. */
static size_t first_part(int fd)
{
    struct stat status;

    return fstat(fd, &status) == 0 && status.st_size > 0 ? (size_t)status.st_size + 1 : PART;
}

bool file_read(struct arena *a, const char *path, struct span *out)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC), cause;
    struct buf text = buf_in(a);
    size_t part;
    ssize_t got;

    if (fd < 0)
        return false;
    part = first_part(fd);
    while ((got = read(fd, buf_reserve(&text, part), part)) > 0) {
        text.len += (size_t)got;
        part = (size_t)got < part ? part - (size_t)got : PART;
    }
    cause = errno;
    close(fd);
    errno = cause;
    *out = buf_span(&text);
    return got == 0;
}

bool file_write(int fd, struct span bytes)
{
    while (bytes.len) {
        ssize_t done = write(fd, bytes.at, bytes.len);

        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return false;
        bytes = span_from(bytes, (size_t)done);
    }
    return true;
}

/* The offset behind the last complete line; -1, with errno set, if the file cannot be read. */
static off_t end_of_lines(int fd, off_t size)
{
    char part[1024];

    while (size > 0) {
        size_t len = size < (off_t)sizeof part ? (size_t)size : sizeof part;

        if (pread(fd, part, len, size - (off_t)len) != (ssize_t)len)
            return -1;
        while (len && part[len - 1] != '\n') {
            len--;
            size--;
        }
        if (len)
            break;
    }
    return size;
}

/* Removes an incomplete last line and returns the file's new size. */
static off_t cut_to_lines(int fd)
{
    off_t size = lseek(fd, 0, SEEK_END), end = end_of_lines(fd, size);

    return end < size && ftruncate(fd, end) ? -1 : end;
}

/* Makes one folder; its parent exists. Returns false with mkdir's errno. */
static bool make_one(const char *path)
{
    struct stat status;
    int cause;

    if (mkdir(path, 0777) == 0)
        return true;
    cause = errno == EEXIST ? ENOTDIR : errno;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return true;
    errno = cause;
    return false;
}

bool file_make_folder(struct arena *a, const char *path)
{
    char *text = arena_text(a, span_of(path));

    for (char *end = text + 1; *text && (end = strchr(end, '/')); *end++ = '/') {
        *end = '\0';
        if (!make_one(text))
            return false;
    }
    return make_one(path);
}

bool file_append_lines(const char *path, struct span lines)
{
    int fd, cause;
    off_t end;
    bool done;

    fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0)
        return false;
    end = cut_to_lines(fd);
    done = end >= 0 && file_write(fd, lines);
    cause = errno;
    if (!done && end >= 0)
        (void)!ftruncate(fd, end);
    close(fd);
    errno = cause;
    return done;
}
