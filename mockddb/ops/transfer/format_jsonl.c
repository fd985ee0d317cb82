/* format_jsonl.c: plain JSON of other programs, {"pk":"a","n":1}, one line per item. Lists of such
 * objects are read as well.
 *
 * Strings, numbers (digit for digit), booleans, null, lists and objects are S, N, BOOL, NULL, L and
 * M. JSON has no other types: sets are written as lists, binaries as base64 strings. They are read
 * as lists and strings, except for attributes of an item whose type is given. */
#include "base/base64.h"
#include "ops/transfer/transfer_brackets.h"
#include "ops/transfer/transfer_frame.h"
#include "wire/json.h"
#include "wire/wire_node.h"

/* --- reading ---------------------------------------------------------------------------------- */

static void put_value(struct buf *out, const wire_node *node);

static void put_members(struct buf *out, const wire_node *object)
{
    const char *before = "{";

    for (const wire_node *m = wire_first(object); m; m = wire_next(m)) {
        buf_add_text(out, before);
        buf_add_json_string(out, wire_name(m));
        buf_add_char(out, ':');
        put_value(out, m);
        before = ",";
    }
    buf_add_text(out, *before == ',' ? "}" : "{}");
}

static void put_elements(struct buf *out, const wire_node *list)
{
    const char *before = "";

    buf_add_char(out, '[');
    for (const wire_node *e = wire_first(list); e; e = wire_next(e)) {
        buf_add_text(out, before);
        put_value(out, e);
        before = ",";
    }
    buf_add_char(out, ']');
}

static void put_value(struct buf *out, const wire_node *node)
{
    switch (json_kind(node)) {
    case JSON_NULL:
        buf_add_text(out, "{\"NULL\":true");
        break;
    case JSON_BOOL:
        buf_add_text(out, wire_bool(node, false) ? "{\"BOOL\":true" : "{\"BOOL\":false");
        break;
    case JSON_NUMBER:
        buf_add_text(out, "{\"N\":\"");
        buf_add_span(out, wire_digits(node));
        buf_add_char(out, '"');
        break;
    case JSON_STRING:
        buf_add_text(out, "{\"S\":");
        buf_add_json_string(out, wire_text(node));
        break;
    case JSON_ARRAY:
        buf_add_text(out, "{\"L\":");
        put_elements(out, node);
        break;
    case JSON_OBJECT:
        buf_add_text(out, "{\"M\":");
        put_members(out, node);
        break;
    }
    buf_add_char(out, '}');
}

/* --- given types ------------------------------------------------------------------------------ */

static bool is_scalar(const wire_node *node)
{
    return json_kind(node) == JSON_STRING || json_kind(node) == JSON_NUMBER;
}

/* Returns the text of a string or the digits of a number. */
static struct span text_of(const wire_node *node)
{
    return json_kind(node) == JSON_STRING ? wire_text(node) : wire_digits(node);
}

static void put_set(struct buf *out, const wire_node *list)
{
    const char *before = "[";

    for (const wire_node *e = wire_first(list); e; e = wire_next(e)) {
        buf_add_text(out, before);
        buf_add_json_string(out, text_of(e));
        before = ",";
    }
    buf_add_text(out, *before == ',' ? "]" : "[]");
}

static bool fits_type(const wire_node *node, enum attr_type type)
{
    const wire_node *element = wire_first(node);

    switch (type) {
    case ATTR_S:
    case ATTR_N:
    case ATTR_B:
        return is_scalar(node);
    case ATTR_SS:
    case ATTR_NS:
    case ATTR_BS:
        while (element && is_scalar(element))
            element = wire_next(element);
        return json_kind(node) == JSON_ARRAY && !element;
    case ATTR_BOOL:
        return json_kind(node) == JSON_BOOL;
    case ATTR_L:
        return json_kind(node) == JSON_ARRAY;
    case ATTR_M:
        return json_kind(node) == JSON_OBJECT;
    case ATTR_NULL:
    case ATTR_TYPE_COUNT:
        break;
    }
    return false;
}

/* Writes a value of the given type. null is valid for each type. */
static bool put_typed(struct arena *a, struct buf *out, const wire_node *node, enum attr_type type,
                      struct transfer_problem *problem)
{
    bool is_set = attr_is_set(type);

    if (json_kind(node) == JSON_NULL) {
        put_value(out, node);
        return true;
    }
    if (!fits_type(node, type)) {
        *problem = (struct transfer_problem){
            arena_printf(a, "this is not of type %s", attr_type_code(type)), wire_raw(node).at,
            true};
        return false;
    }
    if (!is_set && !is_scalar(node)) {
        put_value(out, node);
        return true;
    }
    buf_printf(out, "{\"%s\":", attr_type_code(type));
    if (is_set)
        put_set(out, node);
    else
        buf_add_json_string(out, text_of(node));
    buf_add_char(out, '}');
    return true;
}

static const struct transfer_column *type_of(const struct transfer_options *options,
                                             struct span name)
{
    for (size_t i = 0; i < options->type_count; i++)
        if (span_equal(options->types[i].name, name))
            return &options->types[i];
    return NULL;
}

/* Whether the value has its type, like {"S": "a"} in DynamoDB's JSON. */
static bool is_typed(const wire_node *node)
{
    enum attr_type type;

    return json_kind(node) == JSON_OBJECT && wire_count(node) == 1 &&
           attr_type_of_code(wire_name(wire_first(node)), &type);
}

/* An attribute with a given type has DynamoDB's JSON; names the first attribute that has not. */
static void blame_typed(struct arena *a, const wire_node *item, struct transfer_problem *problem)
{
    const wire_node *m = wire_first(item);

    while (m && is_typed(m))
        m = wire_next(m);
    if (m)
        *problem = (struct transfer_problem){
            arena_printf(a, "%.*s" TRANSFER_UNTYPED, SPAN_ARG(wire_name(m))), wire_raw(m).at, true};
    else
        problem->text = "this is DynamoDB's JSON, but the text began with plain JSON";
}

static bool put_item(struct arena *a, struct buf *out, const struct transfer_options *options,
                     const wire_node *item, struct transfer_problem *problem)
{
    const char *before = "{";

    for (const wire_node *m = wire_first(item); m; m = wire_next(m)) {
        const struct transfer_column *given = type_of(options, wire_name(m));

        buf_add_text(out, before);
        buf_add_json_string(out, wire_name(m));
        buf_add_char(out, ':');
        if (!given) {
            put_value(out, m);
        } else if (!put_typed(a, out, m, given->type, problem)) {
            if (is_typed(m))
                blame_typed(a, item, problem);
            return false;
        }
        before = ",";
    }
    buf_add_text(out, *before == ',' ? "}" : "{}");
    return true;
}

static bool read_record(struct arena *a, const struct transfer_options *options, struct span record,
                        struct buf *json, struct transfer_problem *problem)
{
    const wire_node *root;

    if (wire_parse_keyed(a, record, options->key ? options->key : siphash_own_key(), &root)) {
        *problem = (struct transfer_problem){"this is not JSON", wire_error_place(a, record),
                                             false};
        return false;
    }
    buf_add_text(json, "{\"Item\":");
    if (!put_item(a, json, options, root, problem))
        return false;
    buf_add_char(json, '}');
    return true;
}

/* --- writing ---------------------------------------------------------------------------------- */

static const struct transfer_brackets brackets = {
    buf_add_json_string, buf_add_json_string, buf_add_span, "\"", "\"", NULL};

static void write_record(struct arena *a, struct buf *out, const struct transfer_options *options,
                         const struct item *it)
{
    (void)a;
    (void)options;
    transfer_brackets_map(out, &brackets, it);
    buf_add_char(out, '\n');
}

const struct transfer_format transfer_format_jsonl = {
    .name = "JSONL",
    .ending = ".jsonl",
    .frame = transfer_frame_listed,
    .wrong_at = wire_error_place,
    .read = read_record,
    .write = write_record,
};
