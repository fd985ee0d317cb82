#include "base/folder.h"
#include "base/cut.h"

#include "base/buf.h"
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_LEN  255
#define DEPTH_MAX 64 /* folders in folders */

struct folder {
    int fd;
};

struct folder *folder_open(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct folder *f;

    if (fd < 0)
        return NULL;
    f = process_zeroed(sizeof *f);
    f->fd = fd;
    return f;
}

void folder_free(struct folder *f)
{
    if (!f)
        return;
    close(f->fd);
    free(f);
}

/* --- paths ------------------------------------------------------------------------------------ */

static bool is_good_name(struct span name)
{
    return name.len && name.len <= NAME_LEN && !span_has(name, '\0') && !span_is(name, ".") &&
           !span_is(name, "..");
}

bool folder_allows(struct span path)
{
    if (!path.len || path.at[path.len - 1] == '/')
        return false;
    while (path.len)
        if (!is_good_name(cut_part(&path, '/')))
            return false;
    return true;
}

/* --- descending into folders ---------------------------------------------------------------- */

/* A name with the NUL that system calls need. */
struct name {
    char text[NAME_LEN + 1];
};

static struct name name_of(struct span name)
{
    struct name n;

    memcpy(n.text, name.at, name.len);
    n.text[name.len] = '\0';
    return n;
}

/* Opens the folder called `name` in `fd`, which is closed; -1 on failure. */
static int enter_folder(int fd, struct span name, bool makes)
{
    struct name n = name_of(name);
    int inner, cause;

    if (makes && mkdirat(fd, n.text, 0777) != 0 && errno != EEXIST)
        inner = -1;
    else
        inner = openat(fd, n.text, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    cause = errno;
    close(fd);
    errno = cause;
    return inner;
}

/* Opens the folder that contains the last name of a path; -1 on failure. */
static int open_parent(const struct folder *f, struct span path, bool makes, struct name *last)
{
    int fd;

    if (!folder_allows(path)) {
        errno = ENOENT;
        return -1;
    }
    fd = fcntl(f->fd, F_DUPFD_CLOEXEC, 0);
    while (fd >= 0) {
        struct span name = cut_part(&path, '/');

        if (!path.len) {
            *last = name_of(name);
            return fd;
        }
        fd = enter_folder(fd, name, makes);
    }
    return -1;
}

static void close_quietly(int fd)
{
    int cause = errno;

    close(fd);
    errno = cause;
}

/* --- files ------------------------------------------------------------------------------------ */

static int open_in(const struct folder *f, struct span path, bool makes, int flags)
{
    struct name name;
    int folder = open_parent(f, path, makes, &name), fd;

    if (folder < 0)
        return -1;
    fd = openat(folder, name.text, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    close_quietly(folder);
    return fd;
}

bool folder_has(const struct folder *f, struct span path)
{
    int fd = open_in(f, path, false, O_RDONLY | O_DIRECTORY);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static int ordinary_only(int fd)
{
    struct stat status;

    if (fd < 0 || (fstat(fd, &status) == 0 && S_ISREG(status.st_mode)))
        return fd;
    close(fd);
    errno = ENOENT;
    return -1;
}

int folder_read(const struct folder *f, struct span path)
{
    return ordinary_only(open_in(f, path, false, O_RDONLY));
}

int folder_write(const struct folder *f, struct span path)
{
    return ordinary_only(open_in(f, path, true, O_WRONLY | O_CREAT));
}

bool folder_rename(const struct folder *f, struct span from, struct span to)
{
    struct name old, new;
    int from_fd = open_parent(f, from, false, &old), to_fd;
    bool good;

    if (from_fd < 0)
        return false;
    to_fd = open_parent(f, to, true, &new);
    good = to_fd >= 0 && renameat(from_fd, old.text, to_fd, new.text) == 0;
    if (to_fd >= 0)
        close_quietly(to_fd);
    close_quietly(from_fd);
    return good;
}

bool folder_remove(const struct folder *f, struct span path)
{
    struct name name;
    int fd = open_parent(f, path, false, &name);
    bool good;

    if (fd < 0)
        return false;
    good = unlinkat(fd, name.text, 0) == 0;
    close_quietly(fd);
    return good;
}

bool folder_put(const struct folder *f, struct span path, struct span aside, struct span bytes)
{
    int fd = folder_write(f, aside);
    bool good = fd >= 0 && ftruncate(fd, 0) == 0 && file_write(fd, bytes);

    if (fd >= 0)
        close_quietly(fd);
    return good && folder_rename(f, aside, path);
}

/* --- walking through files ------------------------------------------------------------------ */

struct level {
    DIR *names;
    size_t path_len; /* of the path, including its last / */
};

struct folder_walk {
    struct level at[DEPTH_MAX];
    size_t depth;
    struct arena *arena;
    struct span prefix;
    struct buf path; /* of the last file found */
};

/* Enters a folder and takes over its descriptor; a folder that cannot be read is skipped. */
static void push_level(struct folder_walk *w, int fd, size_t path_len)
{
    DIR *names = fd >= 0 && w->depth < DEPTH_MAX ? fdopendir(fd) : NULL;

    if (!names) {
        if (fd >= 0)
            close(fd);
        return;
    }
    w->at[w->depth++] = (struct level){names, path_len};
}

struct folder_walk *folder_walk_new(const struct folder *f, struct span under, struct span prefix)
{
    struct folder_walk *w = process_zeroed(sizeof *w);

    w->arena = arena_new();
    w->prefix = arena_span(w->arena, prefix);
    w->path = buf_in(w->arena);
    push_level(w, open_in(f, under, false, O_RDONLY | O_DIRECTORY), 0);
    return w;
}

void folder_walk_free(struct folder_walk *w)
{
    if (!w)
        return;
    while (w->depth)
        closedir(w->at[--w->depth].names);
    arena_free(w->arena);
    free(w);
}

/* Whether a path begins with the prefix, or is a folder that may contain such paths. */
static bool leads_to_prefix(const struct folder_walk *w, struct span path)
{
    return path.len < w->prefix.len ? span_starts_with(w->prefix, path)
                                    : span_starts_with(path, w->prefix);
}

/* Examines one name: true for a file of the walk. A folder is entered. */
static bool look_at(struct folder_walk *w, const struct level *level, const char *name,
                    struct folder_found *out)
{
    int folder = dirfd(level->names);
    struct stat status;

    w->path.len = level->path_len;
    buf_add_text(&w->path, name);
    if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return false;
    if (S_ISDIR(status.st_mode)) {
        buf_add_char(&w->path, '/');
        if (leads_to_prefix(w, buf_span(&w->path)))
            push_level(w, openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC),
                       w->path.len);
        return false;
    }
    *out = (struct folder_found){.path = buf_span(&w->path), .size = (uint64_t)status.st_size};
    return S_ISREG(status.st_mode) && span_starts_with(out->path, w->prefix);
}

bool folder_walk_next(struct folder_walk *w, struct folder_found *out, bool *fits)
{
    const struct dirent *entry;
    struct level *level;

    *fits = false;
    if (!w->depth)
        return false;
    level = &w->at[w->depth - 1];
    entry = readdir(level->names);
    if (!entry) {
        closedir(level->names);
        w->depth--;
        return true;
    }
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
        *fits = look_at(w, level, entry->d_name, out);
    return true;
}
