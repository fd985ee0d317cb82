#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

void log_error(const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    fputs("mockddb: ", stderr);
    vfprintf(stderr, fmt, args);
    fputc('\n', stderr);
    va_end(args);
}
