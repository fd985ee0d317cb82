#include "explain/explain_value.h"

#include "base/utf8.h"
#include "model/attr.h"
#include "model/num.h"
#include "wire/wire_node.h"
#include "wire/wire_print.h"

#define JSON_SHOWN 40 /* bytes of a value of another type */

/* 1,000 */
static bool is_grouped(struct span text)
{
    const char *comma = span_find(text, ',');

    return comma && span_end(text) - comma == 4;
}

void explain_value_number(struct inquiry *q, const struct refusal *r)
{
    struct span name = r->why->beside, text = r->why->operand;
    struct buf with_point = buf_in(q->arena);
    size_t commas = 0;
    struct num number;

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

/* How many values an older operator takes. */
void explain_value_older_count(struct inquiry *q, const struct refusal *r)
{
    struct span op = r->why->beside;
    const char *takes = span_is(op, "BETWEEN")                           ? "two values"
                        : span_is(op, "IN")                              ? "one value or more"
                        : span_is(op, "NULL") || span_is(op, "NOT_NULL") ? "no value"
                                                                         : "one value";

    inquiry_reason(q, "%.*s of %.*s takes %s, here it has %zu", SPAN_ARG(op),
                   SPAN_ARG(r->why->operand), takes, r->why->count);
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

void explain_value_json(struct inquiry *q, const struct refusal *r)
{
    struct span sent = utf8_cut(r->why->place, JSON_SHOWN);

    look_for_plain(q, q->call.body, 0);
    inquiry_reason(q, "%.*s is %.*s%s: it takes %.*s", SPAN_ARG(r->why->operand), SPAN_ARG(sent),
                   sent.len < r->why->place.len ? "…" : "", SPAN_ARG(r->why->beside));
}
