#include "mcp/mcp_schema.h"

#include "wire/wire_node.h"

/* --- writing ---------------------------------------------------------------------------------- */

static const char *const types[] = {
    [WIRE_STRING] = "string", [WIRE_BOOLEAN] = "boolean", [WIRE_INTEGER] = "integer",
    [WIRE_LONG] = "integer",  [WIRE_DOUBLE] = "number",   [WIRE_TIMESTAMP] = "number",
    [WIRE_BLOB] = "string",   [WIRE_LIST] = "array",      [WIRE_MAP] = "object",
    [WIRE_STRUCT] = "object", [WIRE_ATTR] = "object",
};

static void put_shape(struct wire_writer *w, const struct wire_shape *shape);

/* The members of a schema for an object that has those of the table. */
static void put_members(struct wire_writer *w, const struct wire_member *members)
{
    wire_put_member_word(w, "type", "object");
    wire_open_member(w, "properties", '{');
    for (const struct wire_member *m = members; m->name; m++) {
        wire_open_member(w, m->name, '{');
        put_shape(w, m->shape);
        wire_close(w, '}');
    }
    wire_close(w, '}');
    wire_open_member(w, "required", '[');
    for (const struct wire_member *m = members; m->name; m++)
        if (m->flags & WIRE_REQUIRED && !m->shape->optional_with)
            wire_put_text(w, span_of(m->name));
    wire_close(w, ']');
}

/* The names of the least and the greatest length or value, in JSON Schema. */
static void put_bounds(struct wire_writer *w, const struct wire_shape *shape)
{
    static const char *const least[] = {
        [WIRE_STRING] = "minLength", [WIRE_INTEGER] = "minimum", [WIRE_LONG] = "minimum",
        [WIRE_DOUBLE] = "minimum",   [WIRE_LIST] = "minItems",   [WIRE_MAP] = "minProperties",
        [WIRE_ATTR] = NULL};
    static const char *const most[] = {
        [WIRE_STRING] = "maxLength", [WIRE_INTEGER] = "maximum", [WIRE_LONG] = "maximum",
        [WIRE_DOUBLE] = "maximum",   [WIRE_LIST] = "maxItems",   [WIRE_MAP] = "maxProperties",
        [WIRE_ATTR] = NULL};

    if (shape->has_min && least[shape->type])
        wire_put_member_integer(w, least[shape->type], shape->min);
    if (shape->has_max && most[shape->type] && !shape->arn_allowed)
        wire_put_member_integer(w, most[shape->type], shape->max);
}

/* The members of a schema for the shape. */
static void put_shape(struct wire_writer *w, const struct wire_shape *shape)
{
    if (shape->type == WIRE_STRUCT) {
        put_members(w, shape->members);
        return;
    }
    wire_put_member_word(w, "type", types[shape->type]);
    put_bounds(w, shape);
    if (shape->type == WIRE_ATTR)
        wire_put_member_word(w, "description", "an attribute value, such as {\"S\": \"text\"}");
    if (shape->values) {
        wire_open_member(w, "enum", '[');
        for (const char *const *value = shape->values; *value; value++)
            wire_put_text(w, span_of(*value));
        wire_close(w, ']');
    }
    if (shape->element) {
        wire_open_member(w, shape->type == WIRE_LIST ? "items" : "additionalProperties", '{');
        put_shape(w, shape->element);
        wire_close(w, '}');
    }
}

void mcp_schema_write_members(struct wire_writer *w, const struct wire_member *members)
{
    wire_open(w, '{');
    put_members(w, members);
    wire_put_member_bool(w, "additionalProperties", false);
    wire_close(w, '}');
}

void mcp_schema_write(struct wire_writer *w, const struct mcp_member *members)
{
    wire_open(w, '{');
    wire_put_member_word(w, "type", "object");
    wire_open_member(w, "properties", '{');
    for (const struct mcp_member *m = members; m->of.name; m++) {
        wire_open_member(w, m->of.name, '{');
        put_shape(w, m->of.shape);
        wire_put_member_word(w, "description", m->about);
        wire_close(w, '}');
    }
    wire_close(w, '}');
    wire_open_member(w, "required", '[');
    for (const struct mcp_member *m = members; m->of.name; m++)
        if (m->of.flags & WIRE_REQUIRED)
            wire_put_text(w, span_of(m->of.name));
    wire_close(w, ']');
    wire_put_member_bool(w, "additionalProperties", false);
    wire_close(w, '}');
}

/* --- checking --------------------------------------------------------------------------------- */

static bool is_of_type(const struct wire_shape *shape, const wire_node *value)
{
    switch (shape->type) {
    case WIRE_STRING:
    case WIRE_BLOB:
        return json_kind(value) == JSON_STRING;
    case WIRE_BOOLEAN:
        return json_kind(value) == JSON_BOOL;
    case WIRE_INTEGER:
    case WIRE_LONG:
    case WIRE_DOUBLE:
    case WIRE_TIMESTAMP:
        return json_kind(value) == JSON_NUMBER;
    case WIRE_LIST:
        return json_kind(value) == JSON_ARRAY;
    case WIRE_MAP:
    case WIRE_STRUCT:
    case WIRE_ATTR:
        return json_kind(value) == JSON_OBJECT;
    }
    return false;
}

static bool is_word(const struct wire_shape *shape, const wire_node *value)
{
    for (const char *const *word = shape->values; *word; word++)
        if (span_is(wire_text(value), *word))
            return true;
    return false;
}

static const struct problem *check_value(struct arena *a, const struct wire_member *m,
                                         const wire_node *value)
{
    const struct wire_shape *shape = m->shape;
    struct buf words = buf_in(a);

    if (!is_of_type(shape, value))
        return problem_invalid(a, "argument %s is %s, not of type %s", m->name,
                               json_kind_name(json_kind(value)), types[shape->type]);
    if (shape->values && !is_word(shape, value)) {
        for (const char *const *word = shape->values; *word; word++)
            buf_printf(&words, "%s%s", words.len ? ", " : "", *word);
        return problem_invalid(a, "argument %s is not one of %s", m->name, buf_text(&words));
    }
    if (json_kind(value) != JSON_NUMBER || !shape->has_min)
        return NULL;
    if (wire_double(value, 0) < (double)shape->min || wire_double(value, 0) > (double)shape->max)
        return problem_invalid(a, "argument %s is not a number from %lld to %lld", m->name,
                               (long long)shape->min, (long long)shape->max);
    return NULL;
}

static const struct mcp_member *find_member(const struct mcp_member *members, struct span name)
{
    while (members->of.name && !span_is(name, members->of.name))
        members++;
    return members->of.name ? members : NULL;
}

const struct problem *mcp_schema_check(struct arena *a, const struct mcp_member *members,
                                       const wire_node *arguments)
{
    struct span twice = arguments ? wire_repeated(arguments) : (struct span){NULL, 0};
    const struct problem *p;

    if (twice.at)
        return problem_invalid(a, "argument %.*s is given twice", SPAN_ARG(twice));
    for (const wire_node *n = wire_first(arguments); n; n = wire_next(n)) {
        const struct mcp_member *m = find_member(members, wire_name(n));

        if (!m)
            return problem_invalid(a, "unknown argument %.*s", SPAN_ARG(wire_name(n)));
        if (!wire_is_null(n) && (p = check_value(a, &m->of, n)))
            return p;
    }
    for (const struct mcp_member *m = members; m->of.name; m++)
        if (m->of.flags & WIRE_REQUIRED && !wire_get(arguments, m->of.name))
            return problem_invalid(a, "argument %s is needed: %s", m->of.name, m->about);
    return NULL;
}
