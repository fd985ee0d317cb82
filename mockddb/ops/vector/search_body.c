#include "ops/vector/search_body.h"

#include "base/ascii.h"

enum kind { TEXT, SEQUENCE, MAP, NUMBER };

static const struct {
    const char *name;
    enum kind kind;
    bool required; /* optional fields may be null */
} fields[] = {
    {"TableName", TEXT, true},
    {"IndexName", TEXT, true},
    {"SearchVector", SEQUENCE, true},
    {"TopK", NUMBER, true},
    {"SearchConditionExpression", TEXT, false},
    {"ProjectionExpression", TEXT, false},
    {"ExpressionAttributeNames", MAP, false},
    {"ExpressionAttributeValues", MAP, false},
    {"ReturnConsumedCapacity", TEXT, false},
};

static const char *const expected[] = {
    [TEXT] = "a string", [SEQUENCE] = "a sequence", [MAP] = "a map", [NUMBER] = "i32"};

static bool is_number(struct span raw)
{
    return *raw.at == '-' || ascii_is_digit(*raw.at);
}

static bool is_whole(struct span raw)
{
    for (size_t i = 0; i < raw.len; i++)
        if (raw.at[i] == '.' || raw.at[i] == 'e' || raw.at[i] == 'E')
            return false;
    return true;
}

static bool fits_kind(enum kind kind, struct span raw)
{
    switch (kind) {
    case TEXT:
        return *raw.at == '"';
    case SEQUENCE:
        return *raw.at == '[';
    case MAP:
        return *raw.at == '{';
    case NUMBER:
        break;
    }
    return is_number(raw) && is_whole(raw);
}

/* Appends " at line 1 column 17": the position of `at`. */
static void add_place(struct call *c, struct buf *text, const char *at)
{
    size_t line = 1, column = 0;

    for (const char *from = wire_raw(c->body).at; from < at; from++) {
        column = *from == '\n' ? 0 : column + 1;
        line += *from == '\n';
    }
    buf_printf(text, " at line %zu column %zu", line, column);
}

/* The error for a value of the wrong type. Containers are only named. */
static const struct error *wrong_type(struct call *c, struct span raw, const wire_node *node,
                                      enum kind kind)
{
    bool container = *raw.at == '[' || *raw.at == '{';
    struct buf text = buf_in(c->arena);

    buf_add_text(&text, "invalid type: ");
    if (*raw.at == 'n') {
        buf_add_text(&text, "null");
    } else if (container) {
        buf_add_text(&text, *raw.at == '[' ? "sequence" : "map");
    } else if (*raw.at == '"') {
        buf_add_text(&text, "string ");
        buf_add_json_string(&text, wire_text(node));
    } else {
        buf_add_text(&text, !is_number(raw) ? "boolean `"
                            : is_whole(raw) ? "integer `"
                                            : "floating point `");
        buf_add_span(&text, raw);
        buf_add_char(&text, '`');
    }
    buf_printf(&text, ", expected %s", expected[kind]);
    add_place(c, &text, container ? raw.at : span_end(raw));
    return error_of(c->arena, ERROR_SERIALIZATION, buf_span(&text));
}

static const struct error *check_field(struct call *c, const wire_node *node)
{
    struct span raw = wire_raw(node);

    for (size_t i = 0; i < COUNT(fields); i++)
        if (span_is(wire_name(node), fields[i].name))
            return fits_kind(fields[i].kind, raw) || (*raw.at == 'n' && !fields[i].required)
                       ? NULL
                       : wrong_type(c, raw, node, fields[i].kind);
    return NULL;
}

static const struct error *missing_field(struct call *c, const char *name)
{
    struct span raw = wire_raw(c->body);
    struct buf text = buf_in(c->arena);

    buf_printf(&text, "missing field `%s`", name);
    add_place(c, &text, span_end(raw));
    return error_of(c->arena, ERROR_VALIDATION, buf_span(&text));
}

const struct error *search_body_check_types(struct call *c)
{
    const struct error *e = NULL;

    for (const wire_node *n = wire_first(c->body); !e && n; n = wire_next(n))
        e = check_field(c, n);
    return e;
}

const struct error *search_body_check_missing(struct call *c)
{
    for (size_t i = 0; i < COUNT(fields); i++)
        if (fields[i].required && !wire_get(c->body, fields[i].name))
            return missing_field(c, fields[i].name);
    return NULL;
}
