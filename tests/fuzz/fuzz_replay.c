/* fuzz_replay.c: the main of a fuzz target that is run as a test.
 *
 * Usage: fuzz_TARGET FILE|DIRECTORY... Runs the target on each file, whole and cut short, since
 * truncated input is what parsers get wrong most. */
#include "fuzz.h"

#include <dirent.h>
#include <sys/stat.h>

#define PATH_SIZE 512
#define CUTS      64 /* of a file at most; an input of up to that many bytes is cut at every one */

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
        LLVMFuzzerTestOneInput(data, cut);
    LLVMFuzzerTestOneInput(data, len);
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
    for (int i = 1; i < argc; i++)
        replay(argv[i]);
    printf("%u passed, 0 failed\n", files);
    return files ? 0 : 1;
}
