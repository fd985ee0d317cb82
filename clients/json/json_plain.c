#include "json/json_plain.h"

#include "base/ascii.h"
#include "client/client_items.h"
#include "wire/json.h"

/* The form of an object is decided by trying: every attribute value has exactly one member, named
 * by its type, so no text is both a value and an item. */

typedef bool writer(struct buf *out, const wire_node *node);

static bool write_value(struct buf *out, const wire_node *value);

static size_t digits_at(struct span s, size_t from)
{
    size_t n = from;

    while (n < s.len && ascii_is_digit(s.at[n]))
        n++;
    return n - from;
}

static bool is_one_of(struct span s, size_t at, const char *set)
{
    return at < s.len && s.at[at] && strchr(set, s.at[at]) != NULL;
}

/* Copies the digits. Changes only what JSON's grammar does not allow: a plus sign, leading zeros, a
 * missing digit beside the point. */
static bool write_number(struct buf *out, const wire_node *node)
{
    struct span s = wire_text(node);
    size_t at = is_one_of(s, 0, "+-"), whole = digits_at(s, at), fraction = 0, exponent;

    if (is_one_of(s, 0, "-"))
        buf_add_char(out, '-');
    while (whole > 1 && s.at[at] == '0') {
        at++;
        whole--;
    }
    buf_add_span(out, whole ? (struct span){s.at + at, whole} : SPAN_LIT("0"));
    at += whole;
    if (is_one_of(s, at, ".")) {
        fraction = digits_at(s, at + 1);
        if (fraction)
            buf_add(out, s.at + at, fraction + 1);
        at += fraction + 1;
    }
    if (is_one_of(s, at, "eE")) {
        size_t sign = is_one_of(s, at + 1, "+-");

        exponent = digits_at(s, at + 1 + sign);
        if (!exponent)
            return false;
        buf_add(out, s.at + at, 1 + sign + exponent);
        at += 1 + sign + exponent;
    }
    return whole + fraction > 0 && at == s.len;
}

static bool write_text(struct buf *out, const wire_node *node)
{
    buf_add_json_string(out, wire_text(node));
    return true;
}

static bool write_bool(struct buf *out, const wire_node *node)
{
    json_write_scalar(out, node);
    return true;
}

static bool write_null(struct buf *out, const wire_node *node)
{
    buf_add_text(out, "null");
    return wire_bool(node, false);
}

static bool write_elements(struct buf *out, const wire_node *array, writer *write,
                           enum json_kind kind)
{
    buf_add_char(out, '[');
    for (const wire_node *element = wire_first(array); element; element = wire_next(element)) {
        if (json_kind(element) != kind || !write(out, element))
            return false;
        if (wire_next(element))
            buf_add_text(out, ", ");
    }
    buf_add_char(out, ']');
    return true;
}

static bool write_list(struct buf *out, const wire_node *node)
{
    return write_elements(out, node, write_value, JSON_OBJECT);
}

static bool write_texts(struct buf *out, const wire_node *node)
{
    return write_elements(out, node, write_text, JSON_STRING);
}

static bool write_numbers(struct buf *out, const wire_node *node)
{
    return write_elements(out, node, write_number, JSON_STRING);
}

static bool write_map(struct buf *out, const wire_node *map)
{
    buf_add_char(out, '{');
    for (const wire_node *member = wire_first(map); member; member = wire_next(member)) {
        buf_add_json_string(out, wire_name(member));
        buf_add_text(out, ": ");
        if (!write_value(out, member))
            return false;
        if (wire_next(member))
            buf_add_text(out, ", ");
    }
    buf_add_char(out, '}');
    return true;
}

static const struct value_form {
    const char *type;
    enum json_kind kind;
    writer *write;
} value_forms[] = {
    {"S", JSON_STRING, write_text},  {"N", JSON_STRING, write_number},
    {"B", JSON_STRING, write_text},  {"BOOL", JSON_BOOL, write_bool},
    {"NULL", JSON_BOOL, write_null}, {"M", JSON_OBJECT, write_map},
    {"L", JSON_ARRAY, write_list},   {"SS", JSON_ARRAY, write_texts},
    {"BS", JSON_ARRAY, write_texts}, {"NS", JSON_ARRAY, write_numbers},
};

static bool write_value(struct buf *out, const wire_node *value)
{
    const wire_node *member = json_kind(value) == JSON_OBJECT ? wire_first(value) : NULL;

    if (!member || wire_next(member))
        return false;
    for (size_t i = 0; i < COUNT(value_forms); i++) {
        const struct value_form *form = &value_forms[i];

        if (span_is(wire_name(member), form->type))
            return json_kind(member) == form->kind && form->write(out, member);
    }
    return false;
}

/* Adds a line, or nothing if `write` does not accept the node. */
static bool add_line(struct buf *out, const wire_node *node, writer *write)
{
    size_t start = out->len;

    if (!write(out, node)) {
        out->len = start;
        return false;
    }
    buf_add_char(out, '\n');
    return true;
}

/* Whether these are the members of an answer without items. */
static bool is_empty_answer(const wire_node *object)
{
    static const char *const members[] = {
        "ConsumedCapacity",      "Count",           "ScannedCount",
        "ItemCollectionMetrics", "UnprocessedKeys", "UnprocessedItems",
        "LastEvaluatedKey",      "NextToken",       "ResponseMetadata",
    };
    size_t i;

    for (const wire_node *member = wire_first(object); member; member = wire_next(member)) {
        for (i = 0; i < COUNT(members) && !span_is(wire_name(member), members[i]);)
            i++;
        if (i == COUNT(members))
            return false;
    }
    return true;
}

static bool add_object(struct arena *a, struct buf *out, const wire_node *object)
{
    struct client_items items;
    size_t i = 0;

    if (!wire_first(object)) /* GetItem found no item */
        return true;
    if (add_line(out, object, write_value) || add_line(out, object, write_map))
        return true;
    if (!client_items_any(object))
        return is_empty_answer(object);
    items = client_items_of(a, object);
    while (i < items.len && add_line(out, items.at[i], write_map))
        i++;
    return i == items.len;
}

static bool add_array(struct buf *out, const wire_node *array)
{
    for (const wire_node *element = wire_first(array); element; element = wire_next(element))
        if (json_kind(element) != JSON_OBJECT ||
            (!add_line(out, element, write_value) && !add_line(out, element, write_map)))
            return false;
    return true;
}

bool json_plain_document(struct arena *a, struct buf *out, const wire_node *document)
{
    size_t start = out->len;
    bool known;

    switch (json_kind(document)) {
    case JSON_OBJECT:
        known = add_object(a, out, document);
        break;
    case JSON_ARRAY:
        known = add_array(out, document);
        break;
    default:
        known = json_kind(document) == JSON_NULL; /* `aws --query Item` of a missing item */
        break;
    }
    if (!known)
        out->len = start;
    return known;
}
