#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include "commands/command.h"

/* Memory that was given back would have to be fetched again for the next request. What a rare
 * request needs beyond that goes back. */
static void keep_memory(void)
{
    mallopt(M_MMAP_THRESHOLD, 256 * 1024 * 1024);
    mallopt(M_TRIM_THRESHOLD, 64 * 1024 * 1024);
    mallopt(M_TOP_PAD, 16 * 1024 * 1024);
}

/* What is printed goes nowhere where standard output or error is closed: the next file or
 * connection would get their number, and the text. */
static void keep_descriptors(void)
{
    int fd = open("/dev/null", O_RDWR);

    while (fd >= 0 && fd <= STDERR_FILENO)
        fd = open("/dev/null", O_RDWR);
    if (fd >= 0)
        close(fd);
}

int main(int argc, char **argv)
{
    struct arena *arena;
    int status;

    keep_descriptors();
    keep_memory();
    arena = arena_new();
    status = command_run(arena, argc ? argv + 1 : argv);
    arena_free(arena);
    return status;
}
