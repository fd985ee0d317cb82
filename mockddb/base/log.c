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

static _Thread_local const struct log_sink *sink; /* NULL: stderr */

const struct log_sink *log_redirect(const struct log_sink *to)
{
    const struct log_sink *before = sink;

    sink = to;
    return before;
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
    if (sink) {
        if (sink->line)
            sink->line(sink->context, line + sizeof PREFIX - 1);
        return;
    }
    line[len++] = '\n';
    if (!is_ready() || write(STDERR_FILENO, line, len) < 0)
        return; /* the line is dropped */
}
