#include "worlds/world_fault.h"

#include <stdarg.h>

const struct world_fault *world_fault(struct arena *a, enum world_fault_kind kind, const char *fmt,
                                      ...)
{
    struct world_fault *f = arena_alloc(a, sizeof *f);
    va_list args;

    va_start(args, fmt);
    f->kind = kind;
    f->message = arena_vprintf(a, fmt, args);
    va_end(args);
    return f;
}
