#include "expr/expr_fault.h"

#include "model/limits.h"

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

const struct error *expr_fault(struct arena *a, const char *parameter, struct error_why why,
                               const char *fmt, ...)
{
    struct buf message = expr_fault_begin(a, parameter);
    va_list args;

    va_start(args, fmt);
    buf_vprintf(&message, fmt, args);
    va_end(args);
    return error_written(&message, why);
}

const struct error *expr_fault_operators(struct arena *a, const char *parameter)
{
    return expr_fault(
        a, parameter,
        ERROR_WHY(CAUSE_MEMBER_HIGH, .operand = SPAN_LIT("the number of operators and functions"),
                  .place = span_of(arena_printf(a, "%d or more", LIMIT_OPERATORS + 1)),
                  .beside = span_of(arena_printf(a, "%d", LIMIT_OPERATORS))),
        "The expression contains too many operators; operator count: %d", LIMIT_OPERATORS + 1);
}
