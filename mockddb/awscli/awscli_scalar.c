#include "awscli/awscli_scalar.h"

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
