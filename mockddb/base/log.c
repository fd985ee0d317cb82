#include "base/log.h"

#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PREFIX "mockddb: "

/* Whether standard error accepts a line without blocking. A full pipe does not. */
static bool is_ready(void)
{
    struct pollfd out = {.fd = STDERR_FILENO, .events = POLLOUT};

    return poll(&out, 1, 0) == 1 && (out.revents & POLLOUT);
}

/* Makes one write, no longer than a pipe accepts in one piece. */
void log_error(const char *fmt, ...)
{
    char line[PIPE_BUF] = PREFIX;
    const size_t room = sizeof line - sizeof PREFIX;
    va_list args;
    size_t len;

    va_start(args, fmt);
    (void)vsnprintf(line + sizeof PREFIX - 1, room, fmt, args);
    va_end(args);
    len = strlen(line);
    /* A report is always one line, whatever names it contains. */
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)line[i] < ' ' || line[i] == 0x7f ||
            (i && (unsigned char)line[i - 1] == 0xc2 && (unsigned char)line[i] < 0xa0))
            line[i] = '?';
    line[len++] = '\n';
    if (!is_ready() || write(STDERR_FILENO, line, len) < 0)
        return; /* the line is dropped */
}
