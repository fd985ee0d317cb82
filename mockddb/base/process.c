#include "base/process.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/heap.h"
#include "base/log.h"

void process_start(process_part *const parts[])
{
    int fd = open("/dev/null", O_RDWR);

    /* Redirects a closed standard output or error to nowhere: otherwise the next file or connection
     * would get its number, and the text. */
    while (fd >= 0 && fd <= STDERR_FILENO)
        fd = open("/dev/null", O_RDWR);
    if (fd >= 0)
        close(fd);
    heap_start();
    for (; *parts; parts++)
        (*parts)();
}

static _Thread_local jmp_buf *out_of_memory; /* NULL: the process ends */

jmp_buf *process_land(jmp_buf *landing)
{
    jmp_buf *before = out_of_memory;

    out_of_memory = landing;
    return before;
}

void process_out_of_memory(void)
{
    log_error("out of memory");
    if (out_of_memory)
        longjmp(*out_of_memory, 1);
    exit(EXIT_FAILURE);
}

void process_need(bool done)
{
    if (!done)
        process_out_of_memory();
}

void *process_have(void *block)
{
    process_need(block);
    return block;
}

void *process_malloc(size_t size)
{
    void *block = malloc(size);

    process_need(block || !size);
    return block;
}

void *process_zeroed(size_t size)
{
    return process_have(calloc(1, size));
}

void *process_realloc(void *block, size_t size)
{
    void *moved = realloc(block, size);

    process_need(moved || !size);
    return moved;
}

void *process_one_more(void *array, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return array;
    *room = *room ? 2 * *room : 16;
    return process_realloc(array, *room * size);
}

char *process_text(struct span text)
{
    char *copy = process_malloc(text.len + 1);

    memcpy(copy, text.at, text.len);
    copy[text.len] = '\0';
    return copy;
}
