#include "awscli/awscli_refusal.h"

static const struct awscli_refusal *refusal_of(struct arena *a, int status, const char *text)
{
    struct awscli_refusal *r = arena_alloc(a, sizeof *r);

    r->text = text;
    r->status = status;
    return r;
}

const struct awscli_refusal *awscli_refusal_new(struct arena *a, int status, const char *fmt, ...)
{
    const char *text;
    va_list args;

    va_start(args, fmt);
    text = arena_vprintf(a, fmt, args);
    va_end(args);
    return refusal_of(a, status, text);
}

const struct awscli_refusal *awscli_refusal_because(struct arena *a, const struct awscli_refusal *r,
                                                    const char *why)
{
    struct awscli_refusal *other = arena_alloc(a, sizeof *other);

    *other = *r;
    other->why = why;
    return other;
}

const struct awscli_refusal *awscli_refusal_of_value(struct arena *a, const char *option,
                                                     const char *fmt, ...)
{
    const char *text;
    va_list args;

    va_start(args, fmt);
    text = arena_vprintf(a, fmt, args);
    va_end(args);
    return refusal_of(a, AWSCLI_MISUSE,
                      arena_printf(a, "Error parsing parameter '%s': %s", option, text));
}
