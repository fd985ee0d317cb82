#include "awscli/awscli_scalar.h"

#include "base/one_more.h"

void awscli_scalar_add(struct buf *out, const wire_node *node)
{
    switch (json_kind(node)) {
    case JSON_STRING:
        buf_add_span(out, wire_text(node));
        break;
    case JSON_BOOL:
        buf_add_text(out, wire_bool(node, false) ? "True" : "False");
        break;
    case JSON_NULL:
        buf_add_text(out, "None");
        break;
    default:
        json_write(out, node);
    }
}

bool awscli_scalar_is(const wire_node *node)
{
    return json_kind(node) != JSON_ARRAY && json_kind(node) != JSON_OBJECT;
}

void awscli_scalar_add_name(struct arena *a, struct awscli_names *names, struct span name)
{
    size_t i = 0;

    while (i < names->len && span_compare(names->at[i], name) < 0)
        i++;
    if (i < names->len && span_equal(names->at[i], name))
        return;
    names->at = one_more(a, names->at, names->len, sizeof name);
    memmove(names->at + i + 1, names->at + i, (names->len - i) * sizeof name);
    names->at[i] = name;
    names->len++;
}
