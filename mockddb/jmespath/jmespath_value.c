#include "jmespath/jmespath_value.h"

#include "base/one_more.h"
#include "base/utf8.h"
#include "wire/wire_node.h"

#include <stdlib.h>

const struct jmespath_value jmespath_value_null = {.kind = JSON_NULL};

/* --- making ----------------------------------------------------------------------------------- */

static struct jmespath_value *new_value(struct arena *a, enum json_kind kind)
{
    struct jmespath_value *v = arena_alloc(a, sizeof *v);

    v->kind = kind;
    return v;
}

const struct jmespath_value *jmespath_value_bool(bool truth)
{
    static const struct jmespath_value values[] = {
        {.kind = JSON_BOOL, .truth = false},
        {.kind = JSON_BOOL, .truth = true},
    };

    return &values[truth];
}

const struct jmespath_value *jmespath_value_string(struct arena *a, struct span text)
{
    struct jmespath_value *v = new_value(a, JSON_STRING);

    v->text = text;
    return v;
}

const struct jmespath_value *jmespath_value_number(struct arena *a, double number, bool whole)
{
    struct jmespath_value *v = new_value(a, JSON_NUMBER);
    const char *digits = arena_printf(a, "%.0f", number);

    /* As Python prints it: the shortest digits that are the same number. */
    for (int precision = 1; !whole && precision <= 17; precision++) {
        digits = arena_printf(a, "%.*g", precision, number);
        if (strtod(digits, NULL) == number)
            break;
    }
    if (!whole && !strpbrk(digits, ".e"))
        digits = arena_printf(a, "%s.0", digits);
    v->text = span_of(digits);
    v->number = number;
    v->whole = whole;
    return v;
}

struct jmespath_value *jmespath_value_array(struct arena *a)
{
    return new_value(a, JSON_ARRAY);
}

void jmespath_value_add(struct arena *a, struct jmespath_value *to, struct span name,
                        const struct jmespath_value *value)
{
    if (to->kind == JSON_OBJECT) {
        for (size_t i = 0; i < to->count; i++)
            if (span_equal(to->names[i], name)) {
                to->at[i] = value;
                return;
            }
        to->names = one_more(a, to->names, to->count, sizeof *to->names);
        to->names[to->count] = name;
    }
    to->at = one_more(a, to->at, to->count, sizeof(struct jmespath_value *));
    to->at[to->count++] = value;
}

const struct jmespath_value *jmespath_value_of_json(struct arena *a, const wire_node *node)
{
    struct jmespath_value *v;

    if (wire_is_null(node))
        return &jmespath_value_null;
    if (wire_is_boolean(node))
        return jmespath_value_bool(wire_bool(node, false));
    v = new_value(a, json_kind(node));
    if (wire_is_string(node)) {
        v->text = wire_text(node);
    } else if (wire_is_number(node)) {
        v->text = wire_digits(node);
        v->number = wire_double(node, 0);
        v->whole = wire_is_whole(v->text.at);
    } else {
        v->at = arena_array(a, wire_count(node), sizeof(struct jmespath_value *));
        v->names = wire_is_object(node) ? arena_array(a, wire_count(node), sizeof *v->names) : NULL;
        for (const wire_node *n = wire_first(node); n; n = wire_next(n)) {
            if (v->names)
                v->names[v->count] = wire_name(n);
            v->at[v->count++] = jmespath_value_of_json(a, n);
        }
    }
    return v;
}

/* --- asking ----------------------------------------------------------------------------------- */

/* NULL if there is no such member. */
static const struct jmespath_value *find_member(const struct jmespath_value *object,
                                                struct span name)
{
    for (size_t i = 0; object->kind == JSON_OBJECT && i < object->count; i++)
        if (span_equal(object->names[i], name))
            return object->at[i];
    return NULL;
}

const struct jmespath_value *jmespath_value_member(const struct jmespath_value *object,
                                                   struct span name)
{
    const struct jmespath_value *v = find_member(object, name);

    return v ? v : &jmespath_value_null;
}

bool jmespath_value_is_true(const struct jmespath_value *v)
{
    if (v->expression || v->kind == JSON_NUMBER)
        return true;
    if (v->kind == JSON_BOOL)
        return v->truth;
    return v->kind == JSON_STRING ? v->text.len : v->count;
}

bool jmespath_value_equal(const struct jmespath_value *a, const struct jmespath_value *b)
{
    if (a->kind != b->kind || a->count != b->count || a->expression || b->expression)
        return false;
    if (a->kind == JSON_NUMBER)
        return a->number == b->number;
    if (a->kind == JSON_BOOL)
        return a->truth == b->truth;
    if (a->kind == JSON_STRING)
        return span_equal(a->text, b->text);
    for (size_t i = 0; i < a->count; i++) {
        const struct jmespath_value *other = a->kind == JSON_OBJECT ? find_member(b, a->names[i])
                                                                    : b->at[i];

        if (!other || !jmespath_value_equal(a->at[i], other))
            return false;
    }
    return true;
}

int jmespath_value_order(const struct jmespath_value *a, const struct jmespath_value *b)
{
    if (a->kind == JSON_NUMBER)
        return (a->number > b->number) - (a->number < b->number);
    return span_compare(a->text, b->text);
}

/* --- writing ---------------------------------------------------------------------------------- */

static void write_escaped(struct buf *out, struct span text)
{
    struct buf json = buf_in(out->arena);
    struct span rest;
    size_t len;

    buf_add_json_string(&json, text);
    for (rest = buf_span(&json); rest.len; rest = span_from(rest, len)) {
        uint32_t letter = utf8_letter(rest, &len);

        if (len == 1)
            buf_add_char(out, *rest.at);
        else if (letter < 0x10000)
            buf_printf(out, "\\u%04x", letter);
        else
            buf_printf(out, "\\u%04x\\u%04x", 0xd7c0 + (letter >> 10), 0xdc00 + (letter & 0x3ff));
    }
}

void jmespath_value_write(struct buf *out, const struct jmespath_value *v, bool escaped)
{
    bool object = v->kind == JSON_OBJECT;

    switch (v->expression ? JSON_NULL : v->kind) {
    case JSON_NULL:
        buf_add_text(out, "null");
        return;
    case JSON_BOOL:
        buf_add_text(out, v->truth ? "true" : "false");
        return;
    case JSON_NUMBER:
        buf_add_span(out, v->text);
        return;
    case JSON_STRING:
        (escaped ? write_escaped : buf_add_json_string)(out, v->text);
        return;
    default:
        break;
    }
    buf_add_char(out, object ? '{' : '[');
    for (size_t i = 0; i < v->count; i++) {
        buf_add_text(out, i ? "," : "");
        if (object) {
            (escaped ? write_escaped : buf_add_json_string)(out, v->names[i]);
            buf_add_char(out, ':');
        }
        jmespath_value_write(out, v->at[i], escaped);
    }
    buf_add_char(out, object ? '}' : ']');
}
