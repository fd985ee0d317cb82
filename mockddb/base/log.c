#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

void log_error(const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    (void)fputs("mockddb: ", stderr);
    (void)vfprintf(stderr, fmt, args);
    (void)fputc('\n', stderr);
    va_end(args);
}
