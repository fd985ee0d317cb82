/* format_jsonl.c: plain JSON of other programs, {"pk":"a","n":1}, one line per item. Lists of such
 * objects are read as well.
 *
 * Strings, numbers (digit for digit), booleans, null, lists and objects are S, N, BOOL, NULL, L and
 * M. JSON has no other types: sets are written as lists, binaries as base64 strings. They are read
 * as lists and strings, except for attributes of an item whose type is given. */
#include "ops/transfer/plain_json.h"
#include "ops/transfer/transfer_brackets.h"
#include "ops/transfer/transfer_frame.h"

/* --- reading ---------------------------------------------------------------------------------- */

/* What an item is read with. */
struct typing {
    struct plain_json plain; /* first */
    struct arena *arena;
    const struct transfer_options *options;
    struct transfer_problem *problem;
    const wire_node *wrong; /* the first attribute that is not of its given type */
};

static bool fits_type(const wire_node *node, enum attr_type type)
{
    const wire_node *element = wire_first(node);

    switch (type) {
    case ATTR_S:
    case ATTR_N:
    case ATTR_B:
        return plain_json_is_scalar(node);
    case ATTR_SS:
    case ATTR_NS:
    case ATTR_BS:
        while (element && plain_json_is_scalar(element))
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
static void put_typed(struct plain_json *p, const wire_node *node, enum attr_type type)
{
    bool is_set = attr_is_set(type);

    if (json_kind(node) == JSON_NULL || (!is_set && !plain_json_is_scalar(node))) {
        plain_json_put(p, node);
        return;
    }
    buf_printf(p->out, "{\"%s\":", attr_type_code(type));
    (is_set ? plain_json_set : plain_json_scalar)(p, node);
    buf_add_char(p->out, '}');
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

/* Writes an attribute's value; attributes within it have no given type. */
static void put_attribute(struct plain_json *p, const wire_node *value)
{
    struct typing *t = (struct typing *)p;
    const struct transfer_column *given = type_of(t->options, wire_name(value));
    struct plain_json within = {.out = p->out, .put = plain_json_put};

    if (!given)
        plain_json_put(&within, value);
    else if (json_kind(value) == JSON_NULL || fits_type(value, given->type))
        put_typed(&within, value, given->type);
    else if (!t->wrong) {
        t->wrong = value;
        *t->problem = (struct transfer_problem){
            arena_printf(t->arena, "this is not of type %s", attr_type_code(given->type)),
            wire_raw(value).at, true};
    }
}

static bool read_record(struct arena *a, const struct transfer_options *options, struct span record,
                        struct buf *json, struct transfer_problem *problem)
{
    struct typing typing = {{.out = json, .put = put_attribute}, a, options, problem, NULL};
    const wire_node *root;

    if (wire_parse_keyed(a, record, options->key ? options->key : siphash_own_key(), &root)) {
        *problem = (struct transfer_problem){"this is not JSON", wire_error_at(a, record), false};
        return false;
    }
    buf_add_text(json, "{\"Item\":");
    plain_json_map(&typing.plain, root);
    buf_add_char(json, '}');
    if (typing.wrong && is_typed(typing.wrong))
        blame_typed(a, root, problem);
    return !typing.wrong;
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
    .wrong_at = wire_error_at,
    .read = read_record,
    .write = write_record,
};
