#include "awscli/awscli_check.h"

#include <inttypes.h>
#include <time.h>

#include "awscli/awscli_moment.h"
#include "base/utf8.h"
#include "wire/json.h"

/* Python's class names for the kinds of JSON. */
static const char *class_of(struct arena *a, const wire_node *node)
{
    static const char *const names[] = {
        [JSON_NULL] = "NoneType", [JSON_BOOL] = "bool",  [JSON_NUMBER] = "int",
        [JSON_STRING] = "str",    [JSON_ARRAY] = "list", [JSON_OBJECT] = "dict",
    };
    struct buf text = buf_in(a);

    if (json_kind(node) == JSON_NUMBER)
        json_write_scalar(&text, node);
    return strpbrk(buf_text(&text), ".eE") ? "float" : names[json_kind(node)];
}

/* The JSON kind of each shape, and the CLI's names of its classes. */
static const struct {
    enum json_kind kind;
    const char *classes;
} accepted[] = {
    [WIRE_STRING] = {JSON_STRING, "<class 'str'>"},
    [WIRE_BOOLEAN] = {JSON_BOOL, "<class 'bool'>"},
    [WIRE_INTEGER] = {JSON_NUMBER, "<class 'int'>"},
    [WIRE_LONG] = {JSON_NUMBER, "<class 'int'>"},
    [WIRE_DOUBLE] = {JSON_NUMBER, "<class 'float'>, <class 'decimal.Decimal'>, <class 'int'>"},
    [WIRE_TIMESTAMP] = {JSON_NULL, "<class 'datetime.datetime'>, timestamp-string"},
    [WIRE_BLOB] = {JSON_STRING, "<class 'bytes'>, <class 'bytearray'>, file-like object"},
    [WIRE_LIST] = {JSON_ARRAY, "<class 'list'>, <class 'tuple'>"},
    [WIRE_MAP] = {JSON_OBJECT, "<class 'dict'>"},
    [WIRE_STRUCT] = {JSON_OBJECT, "<class 'dict'>"},
    [WIRE_ATTR] = {JSON_OBJECT, "<class 'dict'>"},
};

/* Prints a value as Python does; strings inside of others are in quotes. */
static void add_python(struct buf *out, const wire_node *node, bool inside)
{
    enum json_kind kind = json_kind(node);

    if (kind == JSON_STRING) {
        buf_printf(out, inside ? "'%.*s'" : "%.*s", SPAN_ARG(wire_text(node)));
    } else if (kind == JSON_BOOL) {
        buf_add_text(out, wire_bool(node, false) ? "True" : "False");
    } else if (kind == JSON_NULL) {
        buf_add_text(out, "None");
    } else if (kind == JSON_NUMBER) {
        json_write_scalar(out, node);
    } else {
        buf_add_char(out, kind == JSON_ARRAY ? '[' : '{');
        for (const wire_node *n = wire_first(node); n; n = wire_next(n)) {
            buf_add_text(out, n == wire_first(node) ? "" : ", ");
            if (kind == JSON_OBJECT)
                buf_printf(out, "'%.*s': ", SPAN_ARG(wire_name(n)));
            add_python(out, n, true);
        }
        buf_add_char(out, kind == JSON_ARRAY ? ']' : '}');
    }
}

/* The place of a value: "" is the request, then ".Key", ".Key.pk", ".Tags[0]". */
static const char *shown_place(const char *name)
{
    return *name ? name + (*name == '.') : "input";
}

static void check_value(struct buf *out, const struct wire_shape *shape, const wire_node *node,
                        const char *name);

/* `op` NULL: it is not the request itself. */
static void check_members(struct buf *out, const struct op *op, const struct wire_member *members,
                          const wire_node *object, const char *name)
{
    struct arena *a = out->arena;

    for (const struct wire_member *m = members; m->name; m++)
        if (awscli_shape_requires(op, m) && !json_member(object, span_of(m->name)))
            buf_printf(out, "\nMissing required parameter in %s: \"%s\"", shown_place(name),
                       m->name);
    for (const wire_node *n = wire_first(object); n; n = wire_next(n)) {
        if (awscli_shape_member(members, wire_name(n)))
            continue;
        buf_printf(out, "\nUnknown parameter in %s: \"%.*s\", must be one of: ", shown_place(name),
                   SPAN_ARG(wire_name(n)));
        for (const struct wire_member *m = members; m->name; m++)
            buf_printf(out, "%s%s", m == members ? "" : ", ", m->name);
    }
    for (const wire_node *n = wire_first(object); n; n = wire_next(n)) {
        const struct wire_member *m = awscli_shape_member(members, wire_name(n));

        if (m)
            check_value(out, m->shape, n, arena_printf(a, "%s.%s", name, m->name));
    }
}

static size_t letters_of(struct span text)
{
    size_t letters = 0, len;

    for (; text.len; text = span_from(text, len), letters++)
        (void)utf8_letter(text, &len);
    return letters;
}

static void check_bounds(struct buf *out, const struct wire_shape *shape, const wire_node *node,
                         const char *name)
{
    bool is_number = json_kind(node) == JSON_NUMBER;
    int64_t value = is_number
                        ? wire_integer(node, 0)
                        : (int64_t)(json_kind(node) == JSON_STRING ? letters_of(wire_text(node))
                                                                   : wire_count(node));

    if (!shape->has_min || value >= shape->min)
        return;
    if (is_number)
        buf_printf(out, "\nInvalid value for parameter %s, value: %lld, valid min value: %lld",
                   shown_place(name), (long long)value, (long long)shape->min);
    else
        buf_printf(out, "\nInvalid length for parameter %s, value: %lld, valid min length: %lld",
                   shown_place(name), (long long)value, (long long)shape->min);
}

static void check_value(struct buf *out, const struct wire_shape *shape, const wire_node *node,
                        const char *name)
{
    const struct wire_member *members = awscli_shape_members(shape);
    int64_t seconds;

    if (shape->type == WIRE_TIMESTAMP && awscli_moment_of(out->arena, node, time(NULL), &seconds))
        return;
    if (shape->type == WIRE_TIMESTAMP || json_kind(node) != accepted[shape->type].kind) {
        buf_printf(out, "\nInvalid type for parameter %s, value: ", shown_place(name));
        add_python(out, node, false);
        buf_printf(out, ", type: <class '%s'>, valid types: %s", class_of(out->arena, node),
                   accepted[shape->type].classes);
        return;
    }
    check_bounds(out, shape, node, name);
    if (members)
        check_members(out, NULL, members, node, name);
    else if (shape->element) {
        size_t i = 0;

        for (const wire_node *n = wire_first(node); n; n = wire_next(n), i++)
            check_value(out, shape->element, n,
                        shape->type == WIRE_LIST
                            ? arena_printf(out->arena, "%s[%zu]", name, i)
                            : arena_printf(out->arena, "%s.%.*s", name, SPAN_ARG(wire_name(n))));
    }
}

const struct problem *awscli_check(struct arena *a, const struct op *op, const wire_node *request)
{
    struct buf out = buf_in(a);

    check_members(&out, op, op_members(a, op), request, "");
    return out.len ? problem_invalid(a, "Parameter validation failed:%s", buf_text(&out)) : NULL;
}

/* --- sending ---------------------------------------------------------------------------------- */

static void send_value(struct buf *out, const struct wire_shape *shape, const wire_node *node);

/* An object or a list: of a structure's `members`, or of values that have the shape `element`. */
static void send_children(struct buf *out, const struct wire_member *members,
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
        send_value(out, m ? m->shape : element, n);
    }
    buf_add_char(out, object ? '}' : ']');
}

/* Attribute values contain no timestamps: they are written unchanged. */
static void send_value(struct buf *out, const struct wire_shape *shape, const wire_node *node)
{
    enum wire_type type = shape ? shape->type : WIRE_ATTR;
    int64_t seconds;

    if (type == WIRE_TIMESTAMP && awscli_moment_of(out->arena, node, time(NULL), &seconds))
        buf_printf(out, "%" PRId64, seconds);
    else if (type == WIRE_STRUCT || type == WIRE_MAP || type == WIRE_LIST)
        send_children(out, type == WIRE_STRUCT ? shape->members : NULL, shape->element, node);
    else
        json_write(out, node);
}

void awscli_check_send(struct buf *out, const struct op *op, const wire_node *request)
{
    send_children(out, op_members(out->arena, op), NULL, request);
}
