#include "awscli/awscli_sent.h"

#include <inttypes.h>
#include <time.h>

#include "awscli/awscli_moment.h"
#include "awscli/awscli_shape.h"
#include "wire/json.h"

static void add_value(struct buf *out, const struct wire_shape *shape, const wire_node *node);

/* An object or a list: of a structure's `members`, or of values that have the shape `element`. */
static void add_children(struct buf *out, const struct wire_member *members,
                         const struct wire_shape *element, const wire_node *node)
{
    bool object = json_kind(node) == JSON_OBJECT;

    buf_add_char(out, object ? '{' : '[');
    for (const wire_node *n = wire_first(node); n; n = wire_next(n)) {
        const struct wire_member *m = members ? awscli_shape_member(members, wire_name(n)) : NULL;

        buf_add_text(out, n == wire_first(node) ? "" : ", ");
        if (object) {
            buf_add_json_string(out, wire_name(n));
            buf_add_text(out, ": ");
        }
        add_value(out, m ? m->shape : element, n);
    }
    buf_add_char(out, object ? '}' : ']');
}

/* Attribute values contain no timestamps: they are written unchanged. */
static void add_value(struct buf *out, const struct wire_shape *shape, const wire_node *node)
{
    enum wire_type type = shape ? shape->type : WIRE_ATTR;
    int64_t seconds;

    if (type == WIRE_TIMESTAMP && awscli_moment_of(out->arena, node, time(NULL), &seconds))
        buf_printf(out, "%" PRId64, seconds);
    else if (type == WIRE_STRUCT || type == WIRE_MAP || type == WIRE_LIST)
        add_children(out, type == WIRE_STRUCT ? shape->members : NULL, shape->element, node);
    else
        json_write(out, node);
}

void awscli_sent_add(struct buf *out, const struct op *op, const wire_node *request)
{
    add_children(out, op_members(out->arena, op), NULL, request);
}
