#include "wire/wire_print.h"

#include "base/base64.h"
#include "base/utf8.h"
#include "model/limits.h"
#include "wire/wire_node.h"

#include <stdlib.h>

void wire_print_name(struct buf *out, const char *name)
{
    buf_add_char(out, ascii_lower(name[0]));
    buf_add_text(out, name + 1);
}

/* --- JSON ------------------------------------------------------------------------------------ */

static void print_json_elements(struct buf *out, const wire_node *node, size_t max);

/* The part of a text that still fits. */
static struct span cut_text(const struct buf *out, struct span text, size_t max)
{
    return utf8_cut(text, out->len < max ? max - out->len : 0);
}

/* Begins no further element once there are `max` bytes. */
static void print_json(struct buf *out, const wire_node *node, size_t max)
{
    if (wire_is_string(node))
        buf_add_json_string(out, cut_text(out, wire_text(node), max));
    else if (wire_is_number(node))
        buf_add_span(out, cut_text(out, wire_digits(node), max));
    else if (wire_is_object(node) || wire_is_list(node))
        print_json_elements(out, node, max);
    else if (wire_is_null(node))
        buf_add_text(out, "null");
    else
        buf_add_text(out, wire_bool(node, false) ? "true" : "false");
}

static void print_json_elements(struct buf *out, const wire_node *node, size_t max)
{
    const wire_node *first = wire_first(node);
    bool named = wire_is_object(node);

    buf_add_char(out, named ? '{' : '[');
    for (const wire_node *child = first; child && out->len < max; child = wire_next(child)) {
        if (child != first)
            buf_add_char(out, ',');
        if (named) {
            buf_add_json_string(out, cut_text(out, wire_name(child), max));
            buf_add_char(out, ':');
        }
        print_json(out, child, max);
    }
    buf_add_char(out, named ? '}' : ']');
}

void wire_print_json(struct buf *out, const wire_node *node)
{
    print_json(out, node, SIZE_MAX);
}

/* --- canonical -------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    return span_compare(wire_name(*(const wire_node *const *)a),
                        wire_name(*(const wire_node *const *)b));
}

static int by_text(const void *a, const void *b)
{
    return span_compare(wire_text(*(const wire_node *const *)a),
                        wire_text(*(const wire_node *const *)b));
}

static bool is_set(const wire_node *list)
{
    struct span name = wire_name(list);

    if (!span_is(name, "SS") && !span_is(name, "NS") && !span_is(name, "BS"))
        return false;
    for (const wire_node *child = wire_first(list); child; child = wire_next(child))
        if (!wire_is_string(child))
            return false;
    return true;
}

/* The child's shape. False for a member that the structure does not have: it is ignored, so it is
 * not part of the request. Nothing is known about children of an unknown parent. */
static bool shape_of(const struct wire_shape *parent, const wire_node *child,
                     const struct wire_shape **out)
{
    const struct wire_member *m = parent ? parent->members : NULL;

    *out = parent ? parent->element : NULL;
    if (!m)
        return true;
    while (m->name && !span_is(wire_name(child), m->name))
        m++;
    *out = m->shape;
    return m->name != NULL;
}

static void print_sorted(struct buf *out, const struct wire_shape *shape, const wire_node *node)
{
    const wire_node **children = arena_array(out->arena, wire_count(node), sizeof *children);
    bool named = wire_is_object(node);
    const struct wire_shape *its;
    size_t count = 0;

    for (const wire_node *child = wire_first(node); child; child = wire_next(child))
        if (!named || (!wire_is_null(child) && shape_of(shape, child, &its)))
            children[count++] = child;
    if (named || is_set(node))
        qsort(children, count, sizeof *children, named ? by_name : by_text);
    buf_add_char(out, named ? '{' : '[');
    for (size_t i = 0; i < count; i++) {
        if (i)
            buf_add_char(out, ',');
        if (named) {
            buf_add_json_string(out, wire_name(children[i]));
            buf_add_char(out, ':');
        }
        (void)shape_of(shape, children[i], &its);
        wire_print_canonical(out, its, children[i]);
    }
    buf_add_char(out, named ? '}' : ']');
}

void wire_print_canonical(struct buf *out, const struct wire_shape *shape, const wire_node *node)
{
    if (wire_is_object(node) || wire_is_list(node))
        print_sorted(out, shape, node);
    else
        wire_print_json(out, node);
}

/* --- as constraint messages echo values ------------------------------------------------------- */

/* An echo can grow to about twenty times what was sent. It is cut at LIMIT_ECHO: then no value is
 * begun, and open ones are closed. */
static bool is_full(const struct buf *out)
{
    return out->len >= LIMIT_ECHO;
}

static void print_list(struct buf *out, const struct wire_shape *element, const wire_node *node)
{
    struct wire_walk walk;
    bool first = true;

    buf_add_char(out, '[');
    for (const wire_node *child = wire_walk_first(&walk, node); child && !is_full(out);
         child = wire_walk_next(&walk, child), first = false) {
        buf_add_text(out, first ? "" : ", ");
        wire_print(out, element, child);
    }
    buf_add_char(out, ']');
}

static void print_map(struct buf *out, const struct wire_shape *element, const wire_node *node)
{
    buf_add_char(out, '{');
    for (const wire_node *child = wire_first(node); child && !is_full(out);
         child = wire_next(child)) {
        buf_add_span(out, cut_text(out, wire_name(child), LIMIT_ECHO));
        buf_add_char(out, '=');
        wire_print(out, element, child);
        if (wire_next(child))
            buf_add_text(out, ", ");
    }
    buf_add_char(out, '}');
}

static void print_struct(struct buf *out, const struct wire_shape *shape, const wire_node *node)
{
    const struct wire_member *members = shape->printed ? shape->printed : shape->members;

    buf_add_text(out, shape->name);
    buf_add_char(out, '(');
    for (const struct wire_member *m = members; m->name && !is_full(out); m++) {
        const wire_node *value = wire_get(node, m->name);

        if (m != members)
            buf_add_text(out, ", ");
        wire_print_name(out, m->name);
        buf_add_char(out, '=');
        if (value)
            wire_print(out, m->shape, value);
        else
            buf_add_text(out, "null");
    }
    if (shape->printed_more)
        buf_add_text(out, shape->printed_more);
    buf_add_char(out, ')');
}

static const struct wire_shape binary = {.type = WIRE_BLOB};

/* The service prints a class of its own, with members for its storage types and the public ones. */
static const struct {
    const char *name;               /* as printed */
    const char *member;             /* as sent, or NULL for a type that is never sent */
    const struct wire_shape *shape; /* of the value, or of a list's elements */
    bool list;
} attr_fields[] = {
    {"s", "S", &wire_string, false},
    {"n", "N", &wire_string, false},
    {"b", "B", &binary, false},
    {"iNT", NULL, NULL, false},
    {"dECIMAL", NULL, NULL, false},
    {"dOUBLE", NULL, NULL, false},
    {"sS", "SS", &wire_string, true},
    {"nS", "NS", &wire_string, true},
    {"bS", "BS", &binary, true},
    {"iNTSET", NULL, NULL, false},
    {"dECIMALSET", NULL, NULL, false},
    {"dOUBLESET", NULL, NULL, false},
    {"m", "M", &wire_attr_map, false},
    {"l", "L", &wire_attr_list, false},
    {"nULL", "NULL", &wire_boolean, false},
    {"bOOL", "BOOL", &wire_boolean, false},
};

static void print_attr(struct buf *out, const wire_node *node)
{
    buf_add_text(out, "AttributeValue(");
    for (size_t i = 0; i < COUNT(attr_fields) && !is_full(out); i++) {
        const wire_node *value = attr_fields[i].member ? wire_get(node, attr_fields[i].member)
                                                       : NULL;

        buf_add_text(out, i ? ", " : "");
        buf_add_text(out, attr_fields[i].name);
        buf_add_char(out, '=');
        if (!value)
            buf_add_text(out, "null");
        else if (attr_fields[i].list)
            print_list(out, attr_fields[i].shape, value);
        else
            wire_print(out, attr_fields[i].shape, value);
    }
    buf_add_char(out, ')');
}

void wire_print(struct buf *out, const struct wire_shape *shape, const wire_node *node)
{
    if (wire_is_null(node))
        buf_add_text(out, "null");
    else if (shape->printed_as_json)
        print_json(out, node, LIMIT_ECHO);
    else if (shape->type == WIRE_LIST)
        print_list(out, shape->element, node);
    else if (shape->type == WIRE_MAP)
        print_map(out, shape->element, node);
    else if (shape->type == WIRE_STRUCT)
        print_struct(out, shape, node);
    else if (shape->type == WIRE_ATTR)
        print_attr(out, node);
    else if (shape->type == WIRE_BLOB) {
        struct span bytes;
        size_t len = base64_decode(out->arena, wire_text(node), &bytes) ? bytes.len : 0;

        /* Java prints the state of a byte buffer, not its bytes. */
        buf_printf(out, "java.nio.HeapByteBuffer[pos=0 lim=%zu cap=%zu]", len, len);
    } else if (wire_is_string(node))
        buf_add_span(out, cut_text(out, wire_text(node), LIMIT_ECHO));
    else if (wire_is_number(node))
        buf_printf(out, "%lld", (long long)wire_integer(node, 0));
    else
        buf_add_text(out, wire_bool(node, false) ? "true" : "false");
}
