/* Items of sample data in models, as people type them.
 *
 * NoSQL Workbench accepts hand-typed maps and lists unchanged: {"M":{"street":"x","no":1}},
 * {"L":["x",{"N":1}]}, {"M":"{\"no\":1}"}. A value with a type has that type in any form: {"N":1},
 * {"BOOL":"true"}, {"NS":[1,2]}. A value without a type becomes what it is in JSON: a string,
 * number, boolean, null, list or map. An item with a value that does not fit its type is
 * refused. */
#include "moving/moving_model.h"

#include "ops/transfer/plain_json.h"
#include "ops/transfer/transfer_frame.h"

#include <stdio.h>

#define DEPTH_MAX 64 /* nesting of values: more than an item may have */

struct guessing {
    struct plain_json plain; /* first */
    struct arena *arena;
    int depth;
    const wire_node *wrong; /* the first value that does not fit its type */
};

/* --- values ----------------------------------------------------------------------------------- */

/* Parses a string that contains a list or map as JSON; returns the node itself if it does not. */
static const wire_node *unpacked(struct guessing *g, const wire_node *node, enum json_kind kind)
{
    const wire_node *value;

    if (!json_parse(g->arena, wire_text(node), &value) || json_kind(value) != kind)
        return node;
    g->plain.guessed = true;
    return value;
}

static bool is_word(const wire_node *node, const char *word)
{
    return json_kind(node) == JSON_STRING && span_is(wire_text(node), word);
}

/* Adds a value after its type; returns false if it does not fit the type. */
static bool put_typed(struct guessing *g, const wire_node *node, enum attr_type type)
{
    const wire_node *value = node;

    switch (type) {
    case ATTR_S:
    case ATTR_N:
    case ATTR_B:
        if (!plain_json_is_scalar(node))
            return false;
        plain_json_scalar(&g->plain, node);
        return true;
    case ATTR_BOOL:
        g->plain.guessed |= json_kind(node) != JSON_BOOL;
        buf_add_span(g->plain.out,
                     json_kind(node) == JSON_STRING ? wire_text(node) : wire_raw(node));
        return json_kind(node) == JSON_BOOL || is_word(node, "true") || is_word(node, "false");
    case ATTR_NULL:
        g->plain.guessed |= json_kind(node) != JSON_BOOL;
        buf_add_text(g->plain.out, "true");
        return (json_kind(node) == JSON_BOOL && wire_bool(node, false)) || is_word(node, "true") ||
               json_kind(node) == JSON_NULL;
    case ATTR_SS:
    case ATTR_NS:
    case ATTR_BS:
        if (json_kind(node) != JSON_ARRAY)
            return false;
        plain_json_set(&g->plain, node);
        return true;
    case ATTR_L:
        value = unpacked(g, node, JSON_ARRAY);
        if (json_kind(value) != JSON_ARRAY)
            return false;
        plain_json_list(&g->plain, value);
        return true;
    case ATTR_M:
        value = unpacked(g, node, JSON_OBJECT);
        if (json_kind(value) != JSON_OBJECT)
            return false;
        plain_json_map(&g->plain, value);
        return true;
    case ATTR_TYPE_COUNT:
        break;
    }
    return false;
}

static void put_value(struct plain_json *p, const wire_node *node)
{
    struct guessing *g = (struct guessing *)p;
    const wire_node *first = json_kind(node) == JSON_OBJECT ? wire_first(node) : NULL;
    enum attr_type type;

    if (g->depth == DEPTH_MAX) {
        buf_add_span(p->out, wire_raw(node));
        return;
    }
    g->depth++;
    if (!first || wire_next(first) || !attr_type_of_code(wire_name(first), &type)) {
        plain_json_put(p, node);
    } else {
        buf_printf(p->out, "{\"%s\":", attr_type_code(type));
        if (!put_typed(g, first, type) && !g->wrong)
            g->wrong = first;
        buf_add_char(p->out, '}');
    }
    g->depth--;
}

/* --- items ------------------------------------------------------------------------------------ */

static bool read_sample(struct arena *a, const struct transfer_options *options, struct span record,
                        struct buf *json, struct transfer_problem *problem)
{
    struct guessing g = {.plain = {.out = json, .put = put_value}, .arena = a};
    struct span first = {NULL, 0}, wrong = {NULL, 0};
    const char *before = "{\"Item\":{";
    const wire_node *root;

    if (wire_parse(a, record, &root)) {
        *problem = (struct transfer_problem){"this is no JSON", wire_error_at(a, record), false};
        return false;
    }
    for (const wire_node *m = wire_first(root); m; m = wire_next(m), before = ",") {
        buf_add_text(json, before);
        buf_add_json_string(json, wire_name(m));
        buf_add_char(json, ':');
        put_value(&g.plain, m);
        if (g.plain.guessed && !first.at)
            first = wire_name(m);
        if (g.wrong && !wrong.at)
            wrong = wire_name(m);
    }
    buf_add_text(json, *before == ',' ? "}}" : "{\"Item\":{}}");
    if (g.wrong) {
        *problem = (struct transfer_problem){
            arena_printf(a, "%.*s holds a value that is not of its type %.*s", SPAN_ARG(wrong),
                         SPAN_ARG(wire_name(g.wrong))),
            NULL, true};
        return false;
    }
    if (g.plain.guessed && options->guesses && !options->guesses->items++)
        (void)snprintf(options->guesses->attribute, sizeof options->guesses->attribute, "%.*s",
                       SPAN_ARG(first));
    return true;
}

const struct transfer_format moving_model_samples = {
    .name = "sample data",
    .ending = ".json",
    .frame = transfer_frame_listed,
    .wrong_at = wire_error_at,
    .read = read_sample,
};
