#include "patterns/watch.h"

#include "base/platform.h"

#include <dirent.h>
#include <stdio.h>
#include <time.h>

#define LOOK_MS    200
#define PATH_SPACE 4096

/* FNV-1a is enough: the input is not chosen by an attacker. */
static void mix(uint64_t *state, const void *bytes, size_t len)
{
    const unsigned char *at = bytes;

    while (len--)
        *state = (*state ^ *at++) * 1099511628211u;
}

static void look_at(uint64_t *state, const char *path)
{
    struct timespec changed;
    struct stat s;

    if (stat(path, &s))
        return;
    changed = platform_changed(&s);
    mix(state, &changed.tv_sec, sizeof changed.tv_sec);
    mix(state, &changed.tv_nsec, sizeof changed.tv_nsec);
    mix(state, &s.st_size, sizeof s.st_size);
    mix(state, &s.st_ino, sizeof s.st_ino);
}

static void look_into(uint64_t *state, const char *folder)
{
    DIR *dir = opendir(folder);
    char path[PATH_SPACE];

    for (struct dirent *entry; dir && (entry = readdir(dir));)
        if (entry->d_name[0] != '.' &&
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < PATH_SPACE)
            look_at(state, path);
    if (dir)
        (void)closedir(dir);
}

/* Adds the tables and items of the fixture that the pattern file belongs to, if any. */
static void look_beside(uint64_t *state, const char *path)
{
    static const char *const folders[] = {"tables", "items"};
    const char *slash = strrchr(path, '/');
    int len = slash ? (int)(slash - path) + 1 : 0;
    char folder[PATH_SPACE];

    for (size_t i = 0; i < COUNT(folders); i++)
        if (snprintf(folder, sizeof folder, "%.*s%s", len, path, folders[i]) < PATH_SPACE)
            look_into(state, folder);
}

uint64_t watch_look(char *const *paths, size_t count)
{
    uint64_t state = 14695981039346656037u;

    for (size_t i = 0; i < count; i++) {
        look_at(&state, paths[i]);
        look_beside(&state, paths[i]);
    }
    return state;
}

uint64_t watch_wait(char *const *paths, size_t count, uint64_t before)
{
    const struct timespec pause = {.tv_nsec = LOOK_MS * 1000000L};
    uint64_t now = before, last;

    do {
        last = now;
        (void)nanosleep(&pause, NULL);
        now = watch_look(paths, count);
    } while (now == before || now != last);
    return now;
}
