#include "wire/json.h"

#include "wire/wire_node.h"

enum json_kind json_kind(const wire_node *node)
{
    if (wire_is_string(node))
        return JSON_STRING;
    if (wire_is_number(node))
        return JSON_NUMBER;
    if (wire_is_object(node))
        return JSON_OBJECT;
    if (wire_is_list(node))
        return JSON_ARRAY;
    return wire_is_boolean(node) ? JSON_BOOL : JSON_NULL;
}

const char *json_kind_name(enum json_kind kind)
{
    static const char *const names[] = {
        [JSON_NULL] = "null",       [JSON_BOOL] = "a boolean", [JSON_NUMBER] = "a number",
        [JSON_STRING] = "a string", [JSON_ARRAY] = "an array", [JSON_OBJECT] = "an object",
    };

    return names[kind];
}

bool json_parse(struct arena *a, struct span text, const wire_node **out)
{
    struct buf object = buf_in(a);
    const wire_node *tree;

    buf_add_text(&object, "{\"document\":");
    buf_add_span(&object, text);
    buf_add_char(&object, '}');
    if (wire_parse(a, buf_span(&object), &tree) || wire_count_sent(tree) != 1)
        return false;
    *out = wire_first(tree);
    return true;
}

void json_write_scalar(struct buf *out, const wire_node *node)
{
    switch (json_kind(node)) {
    case JSON_STRING:
        buf_add_json_string(out, wire_text(node));
        break;
    case JSON_NUMBER:
        buf_add_span(out, wire_digits(node)); /* as they were sent */
        break;
    case JSON_BOOL:
        buf_add_text(out, wire_bool(node, false) ? "true" : "false");
        break;
    default:
        buf_add_text(out, "null");
        break;
    }
}

void json_write(struct buf *out, const wire_node *node)
{
    enum json_kind kind = json_kind(node);

    if (kind != JSON_ARRAY && kind != JSON_OBJECT) {
        json_write_scalar(out, node);
        return;
    }
    buf_add_char(out, kind == JSON_ARRAY ? '[' : '{');
    for (const wire_node *member = wire_first(node); member; member = wire_next(member)) {
        if (kind == JSON_OBJECT) {
            buf_add_json_string(out, wire_name(member));
            buf_add_text(out, ": ");
        }
        json_write(out, member);
        if (wire_next(member))
            buf_add_text(out, ", ");
    }
    buf_add_char(out, kind == JSON_ARRAY ? ']' : '}');
}

/* Charges the skipping of that many members or elements. */
static void charge_passed(const wire_node *container, size_t passed)
{
    if (passed >= 8)
        arena_charge(container->source->arena, passed / 8);
}

const wire_node *json_member(const wire_node *object, struct span name)
{
    const wire_node *member = json_kind(object) == JSON_OBJECT ? wire_first(object) : NULL;
    size_t passed = 0;

    for (; member && !span_equal(wire_name(member), name); passed++)
        member = wire_next(member);
    charge_passed(object, passed);
    return member;
}

/* Whether the pointer's reference token, which may have escapes, names this member. */
static bool token_is(struct span token, struct span name)
{
    size_t i, n = 0;

    for (i = 0; i < token.len; i++, n++) {
        char c = token.at[i];

        if (c == '~' && i + 1 < token.len)
            c = token.at[++i] == '0' ? '~' : '/';
        if (n >= name.len || name.at[n] != c)
            return false;
    }
    return n == name.len;
}

static const wire_node *element_at(const wire_node *array, struct span token)
{
    const wire_node *element = wire_first(array);
    size_t i, index = 0;

    if (!token.len || token.len > 9 || (token.at[0] == '0' && token.len > 1))
        return NULL;
    for (i = 0; i < token.len; i++) {
        if (!ascii_is_digit(token.at[i]))
            return NULL;
        index = index * 10 + (size_t)(token.at[i] - '0');
    }
    for (i = 0; element && i < index; i++)
        element = wire_next(element);
    charge_passed(array, i);
    return element;
}

static const wire_node *member_at(const wire_node *object, struct span token)
{
    const wire_node *member = wire_first(object);
    size_t passed = 0;

    for (; member && !token_is(token, wire_name(member)); passed++)
        member = wire_next(member);
    charge_passed(object, passed);
    return member;
}

const wire_node *json_at(const wire_node *root, struct span pointer)
{
    const wire_node *node = root;

    while (node && pointer.len) {
        const char *end;
        struct span token;

        if (pointer.at[0] != '/')
            return NULL;
        pointer = span_from(pointer, 1);
        end = span_find(pointer, '/');
        token = (struct span){pointer.at, end ? (size_t)(end - pointer.at) : pointer.len};
        pointer = span_from(pointer, token.len);
        if (json_kind(node) == JSON_ARRAY)
            node = element_at(node, token);
        else
            node = json_kind(node) == JSON_OBJECT ? member_at(node, token) : NULL;
    }
    return node;
}

static bool elements_equal(const wire_node *a, const wire_node *b)
{
    const wire_node *x = wire_first(a), *y = wire_first(b);

    while (x && y && json_equal(x, y)) {
        x = wire_next(x);
        y = wire_next(y);
    }
    return !x && !y;
}

bool json_equal(const wire_node *a, const wire_node *b)
{
    if (json_kind(a) != json_kind(b))
        return false;
    switch (json_kind(a)) {
    case JSON_STRING:
        return span_equal(wire_text(a), wire_text(b));
    case JSON_NUMBER:
        return wire_double(a, 0) == wire_double(b, 0);
    case JSON_BOOL:
        return wire_bool(a, false) == wire_bool(b, false);
    case JSON_ARRAY:
        return elements_equal(a, b);
    case JSON_OBJECT:
        for (const wire_node *x = wire_first(a); x; x = wire_next(x)) {
            const wire_node *y = json_member(b, wire_name(x));

            if (!y || !json_equal(x, y))
                return false;
        }
        return wire_count(a) == wire_count(b);
    default:
        return true;
    }
}
