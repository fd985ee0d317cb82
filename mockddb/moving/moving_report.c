#include "moving/moving_report.h"

#include "base/buf.h"

#include <stdarg.h>

const char *moving_report_refuse(struct moving_report *r, struct arena *a,
                                 const struct moving_refusal *refusal)
{
    r->refused++;
    if (r->tell)
        r->tell(r, refusal);
    if (!r->stops)
        return NULL;
    return refusal->column
               ? arena_printf(a, "line %zu, column %zu: %.*s", refusal->line, refusal->column,
                              SPAN_ARG(refusal->message))
               : arena_printf(a, "line %zu: %.*s", refusal->line, SPAN_ARG(refusal->message));
}

void moving_report_note(struct moving_report *r, struct arena *a, const char *file,
                        const char *format, ...)
{
    struct buf text = buf_in(a);
    va_list args;

    if (!r->note)
        return;
    buf_printf(&text, "%s: ", file);
    va_start(args, format);
    buf_vprintf(&text, format, args);
    va_end(args);
    r->note(r, buf_text(&text));
}
