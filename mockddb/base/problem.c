#include "base/problem.h"

#include "base/buf.h"

#include <stdarg.h>

static const struct problem *format_problem(struct arena *a, enum problem_kind kind,
                                            const char *fmt, va_list args) PRINTF_LIKE(3, 0);
static const struct problem *format_problem(struct arena *a, enum problem_kind kind,
                                            const char *fmt, va_list args)
{
    struct problem *p = arena_alloc(a, sizeof *p);

    p->kind = kind;
    p->text = arena_vprintf(a, fmt, args);
    return p;
}

const struct problem *problem_new(struct arena *a, enum problem_kind kind, const char *fmt, ...)
{
    const struct problem *p;
    va_list args;

    va_start(args, fmt);
    p = format_problem(a, kind, fmt, args);
    va_end(args);
    return p;
}

const struct problem *problem_invalid(struct arena *a, const char *fmt, ...)
{
    const struct problem *p;
    va_list args;

    va_start(args, fmt);
    p = format_problem(a, PROBLEM_INVALID, fmt, args);
    va_end(args);
    return p;
}

const struct problem *problem_of(struct arena *a, enum problem_kind kind, const char *text)
{
    return text ? problem_new(a, kind, "%s", text) : NULL;
}

const struct problem *problem_copy(struct arena *a, const struct problem *p)
{
    struct problem *copy;

    if (!p)
        return NULL;
    copy = arena_alloc(a, sizeof *copy);
    *copy = *p;
    copy->text = arena_text(a, span_of(p->text));
    copy->hint = p->hint ? arena_text(a, span_of(p->hint)) : NULL;
    copy->file = p->file ? arena_text(a, span_of(p->file)) : NULL;
    copy->part = p->part ? arena_text(a, span_of(p->part)) : NULL;
    return copy;
}

static struct problem *copy_problem(struct arena *a, const struct problem *p)
{
    struct problem *copy = arena_alloc(a, sizeof *copy);

    *copy = *p;
    return copy;
}

const struct problem *problem_because(struct arena *a, const struct problem *p, const char *hint)
{
    struct problem *copy = copy_problem(a, p);

    copy->hint = hint;
    return copy;
}

const struct problem *problem_within(struct arena *a, const struct problem *p, const char *fmt, ...)
{
    struct problem *copy;
    const char *part;
    va_list args;

    if (!p)
        return NULL;
    va_start(args, fmt);
    part = arena_vprintf(a, fmt, args);
    va_end(args);
    copy = copy_problem(a, p);
    copy->part = p->part ? arena_printf(a, "%s, %s", part, p->part) : part;
    return copy;
}

const struct problem *problem_in(struct arena *a, const struct problem *p, const char *file)
{
    struct problem *copy;

    if (!p)
        return NULL;
    copy = copy_problem(a, p);
    copy->file = file;
    return copy;
}

const char *problem_text(struct arena *a, const struct problem *p)
{
    struct buf out = buf_in(a);

    if (!p)
        return NULL;
    if (p->file)
        buf_add_text(&out, p->file);
    if (p->place.line)
        buf_printf(&out, ":%zu", p->place.line);
    if (p->place.column)
        buf_printf(&out, ":%zu", p->place.column);
    buf_printf(&out, "%s%s%s%s", out.len ? ": " : "", p->part ? p->part : "", p->part ? ": " : "",
               p->text);
    return buf_text(&out);
}
