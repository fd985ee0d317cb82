#include "expr/expr_fault.h"

#include <stdarg.h>

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
    va_list args;

    va_start(args, fmt);
    buf_vprintf(&message, fmt, args);
    va_end(args);
    return expr_fault_end(&message);
}
