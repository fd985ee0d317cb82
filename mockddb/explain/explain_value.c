#include "explain/explain_value.h"

#include "model/attr.h"
#include "model/num.h"
#include "wire/wire_node.h"
#include "wire/wire_print.h"

#define DEPTH 40 /* of lists and maps in values: more than the service takes */

/* The elements of a set that is there twice, or NULL. */
static const wire_node *repeated(const wire_node *set)
{
    for (const wire_node *n = wire_first(set); n; n = wire_next(n))
        for (const wire_node *m = wire_first(set); m != n; m = wire_next(m))
            if (span_equal(wire_text(m), wire_text(n)))
                return n;
    return NULL;
}

static void check_set(struct inquiry *q, struct span name, const wire_node *set)
{
    const wire_node *twice = wire_count(set) <= 100 ? repeated(set) : NULL;

    if (wire_is_list(set) && !wire_count(set))
        inquiry_reason(q,
                       "%.*s is an empty set: leave it out, a set is there from its first "
                       "element on",
                       SPAN_ARG(name));
    else if (twice)
        inquiry_reason(q, "%.*s has %s twice: a set has each element once", SPAN_ARG(name),
                       inquiry_text(q, wire_text(twice)));
}

/* 1,000 */
static bool is_grouped(struct span text)
{
    const char *comma = span_find(text, ',');

    return comma && span_end(text) - comma == 4;
}

static void check_number(struct inquiry *q, struct span name, const wire_node *node)
{
    struct span text = wire_text(node);
    struct buf with_point = buf_in(q->arena);
    size_t commas = 0;
    struct num number;

    if (!wire_is_string(node) || num_parse(text, false, &number) == NUM_OK)
        return;
    for (size_t i = 0; i < text.len; i++) {
        commas += text.at[i] == ',';
        buf_add_char(&with_point, (char)(text.at[i] == ',' ? '.' : text.at[i]));
    }
    if (commas == 1 && is_grouped(text))
        inquiry_reason(q,
                       "%.*s is %s, which is not a number: write no sign between thousands, and a "
                       "point before a fraction",
                       SPAN_ARG(name), inquiry_text(q, text));
    else if (commas == 1 && num_parse(buf_span(&with_point), false, &number) == NUM_OK)
        inquiry_reason(q, "%.*s is %s, which is not a number: write it with a point, \"%s\"",
                       SPAN_ARG(name), inquiry_text(q, text), buf_text(&with_point));
    else
        inquiry_reason(q,
                       "%.*s is %s, which is not a number: a number has at most 38 digits, "
                       "a sign and a point",
                       SPAN_ARG(name), inquiry_text(q, text));
}

/* {"SS": […]}, and what is in lists and maps. */
static void check_value(struct inquiry *q, struct span name, const wire_node *value, int depth)
{
    const wire_node *inner = wire_first(value);
    enum attr_type type;

    if (!inner || !attr_type_of_code(wire_name(inner), &type) || depth == DEPTH)
        return;
    if (attr_is_set(type))
        check_set(q, name, inner);
    if (type == ATTR_N)
        check_number(q, name, inner);
    for (const wire_node *n = wire_first(inner); n && type == ATTR_NS; n = wire_next(n))
        check_number(q, name, n);
    for (const wire_node *n = wire_first(inner); n && (type == ATTR_L || type == ATTR_M);
         n = wire_next(n))
        check_value(q, type == ATTR_M ? wire_name(n) : name, n, depth + 1);
}

/* All members of the request down to its attribute maps. */
static void look(struct inquiry *q, const wire_node *node, int depth)
{
    for (const wire_node *n = wire_first(node); n && !q->reason.len; n = wire_next(n)) {
        check_value(q, wire_name(n), n, 0);
        if (depth < 4)
            look(q, n, depth + 1);
    }
}

/* --- plain values ----------------------------------------------------------------------------- */

/* Members whose members are values with their types. */
static bool holds_values(struct span member)
{
    static const char *const names[] = {"Key", "Item", "ExpressionAttributeValues",
                                        "ExclusiveStartKey", "Parameters"};

    for (size_t i = 0; i < COUNT(names); i++)
        if (span_is(member, names[i]))
            return true;
    return false;
}

static const char *typed(struct inquiry *q, const wire_node *value)
{
    struct buf json = buf_in(q->arena);

    if (wire_is_string(value))
        return arena_printf(q->arena, "{\"S\": %s}", inquiry_text(q, wire_text(value)));
    if (wire_is_number(value) || wire_is_boolean(value))
        wire_print_json(&json, value);
    if (wire_is_number(value))
        return arena_printf(q->arena, "{\"N\": \"%s\"}", buf_text(&json));
    if (wire_is_boolean(value))
        return arena_printf(q->arena, "{\"BOOL\": %s}", buf_text(&json));
    return wire_is_list(value) ? "{\"L\": [...]}" : "{\"NULL\": true}";
}

static void check_plain(struct inquiry *q, struct span member, const wire_node *value)
{
    const wire_node *inner = wire_first(value);
    struct span name = wire_name(value);
    const char *which = name.len ? arena_printf(q->arena, "%.*s in ", SPAN_ARG(name))
                                 : "a value of ";

    if (!wire_is_object(value))
        inquiry_reason(q,
                       "%s%.*s is a plain value: write it with its type, %s; only document "
                       "clients take plain values",
                       which, SPAN_ARG(member), typed(q, value));
    else if (inner && span_is(wire_name(inner), "N") && wire_is_number(inner))
        inquiry_reason(q, "%s%.*s is a number without quotes: write its digits as a string, %s",
                       which, SPAN_ARG(member), typed(q, inner));
}

static void look_for_plain(struct inquiry *q, const wire_node *node, int depth)
{
    for (const wire_node *n = wire_first(node); n && !q->reason.len; n = wire_next(n)) {
        const wire_node *value = holds_values(wire_name(n)) ? wire_first(n) : NULL;

        for (; value && !q->reason.len; value = wire_next(value))
            check_plain(q, wire_name(n), value);
        if (depth < 4)
            look_for_plain(q, n, depth + 1);
    }
}

void explain_value_plain(struct inquiry *q)
{
    look_for_plain(q, q->call.body, 0);
}

/* --- all -------------------------------------------------------------------------------------- */

void explain_value(struct inquiry *q)
{
    look(q, q->call.body, 0);
}
