#include "expr/expr_fault.h"

#include <stdarg.h>
#include <stdio.h>

struct buf expr_fault_begin(struct arena *a, const char *parameter)
{
    struct buf message = buf_in(a);

    if (!parameter)
        return message;
    buf_add_text(&message, "Invalid ");
    buf_add_text(&message, parameter);
    buf_add_text(&message, ": ");
    return message;
}

const struct error *expr_fault_end(struct buf *message)
{
    return error_of(message->arena, ERROR_VALIDATION, buf_span(message));
}

const struct error *expr_fault(struct arena *a, const char *parameter, const char *fmt, ...)
{
    struct buf message = expr_fault_begin(a, parameter);
    va_list args, again;
    int len;

    va_start(args, fmt);
    va_copy(again, args);
    len = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (len > 0) {
        (void)vsnprintf(buf_reserve(&message, (size_t)len + 1), (size_t)len + 1, fmt, again);
        message.len += (size_t)len;
    }
    va_end(again);
    return expr_fault_end(&message);
}
