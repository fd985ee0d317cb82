#include "moving/moving_report.h"

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
