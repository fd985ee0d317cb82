#include "moving/moving_names.h"

#include "base/buf.h"
#include "base/one_more.h"

#define LISTED 10 /* names listed individually */

bool moving_names_have(const struct moving_names *n, struct span name)
{
    return span_is_among(name, n->at, n->count);
}

void moving_names_add(struct arena *a, struct moving_names *n, struct span name)
{
    if (moving_names_have(n, name))
        return;
    n->at = one_more(a, n->at, n->count, sizeof *n->at);
    n->at[n->count++] = arena_span(a, name);
}

const char *moving_names_lack(struct arena *a, const struct moving_names *n, struct span name,
                              const char *where)
{
    size_t shown = n->count > LISTED + 1 ? LISTED : n->count;
    struct buf out = buf_in(a);

    buf_printf(&out, "there is no table %.*s in %s", SPAN_ARG(name), where);
    if (!n->count)
        buf_add_text(&out, ", nor any other");
    for (size_t i = 0; i < shown; i++)
        buf_printf(&out, "%s%.*s",
                   i == 0              ? ", but "
                   : i + 1 == n->count ? " and "
                                       : ", ",
                   SPAN_ARG(n->at[i]));
    if (shown < n->count)
        buf_printf(&out, " and %zu others", n->count - shown);
    return buf_text(&out);
}
