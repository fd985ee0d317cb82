/* fuzz_replay.c: runs fuzz targets as tests.
 *
 * Usage: fuzz_replay TARGET FILE|DIRECTORY... Runs the target on each file, whole and cut short,
 * since truncated input is what parsers get wrong most. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "store/store.h"

#define PATH_SIZE 512
#define CUTS      64 /* of a file at most; an input of up to that many bytes is cut at every one */

typedef int target_function(const uint8_t *data, size_t size);

/* The build writes fuzz_targets.h, a TARGET(num, fuzz_num) for each source file, and gives what
 * each of them calls LLVMFuzzerTestOneInput that name. */
#define TARGET(name, function) target_function function;
#include "fuzz_targets.h"
#undef TARGET
#define TARGET(name, function) {#name, function},

static const struct {
    const char *name;
    target_function *run;
} targets[] = {
#include "fuzz_targets.h"
};

static target_function *target;
static unsigned files;

static uint8_t *read_file(const char *path, size_t *len)
{
    FILE *file = fopen(path, "rb");
    struct stat info;
    uint8_t *data;

    if (!file || fstat(fileno(file), &info) || !(data = malloc((size_t)info.st_size + 1))) {
        (void)fprintf(stderr, "fuzz: %s cannot be read\n", path);
        exit(2);
    }
    *len = fread(data, 1, (size_t)info.st_size, file);
    (void)fclose(file);
    return data;
}

static void replay_file(const char *path)
{
    size_t len, step;
    uint8_t *data = read_file(path, &len);

    step = len / CUTS + 1;
    for (size_t cut = 0; cut < len; cut += step)
        target(data, cut);
    target(data, len);
    free(data);
    files++;
}

static void replay(const char *path)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    char inner[PATH_SIZE];

    if (!folder) {
        replay_file(path);
        return;
    }
    while ((entry = readdir(folder))) {
        if (entry->d_name[0] == '.')
            continue;
        (void)snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        replay_file(inner);
    }
    closedir(folder);
}

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof targets / sizeof targets[0]; i++)
        if (strcmp(targets[i].name, argv[1]) == 0)
            target = targets[i].run;
    if (!target) {
        (void)fprintf(stderr, "usage: fuzz_replay TARGET FILE|DIRECTORY...\n");
        return 2;
    }
    store_start();
    for (int i = 2; i < argc; i++)
        replay(argv[i]);
    printf("%u passed, 0 failed\n", files);
    return files ? 0 : 1;
}
