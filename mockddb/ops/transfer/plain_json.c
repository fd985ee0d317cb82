#include "ops/transfer/plain_json.h"

#include "model/attr.h"

bool plain_json_is_scalar(const wire_node *node)
{
    return json_kind(node) == JSON_STRING || json_kind(node) == JSON_NUMBER;
}

void plain_json_scalar(struct plain_json *p, const wire_node *node)
{
    bool is_number = json_kind(node) == JSON_NUMBER;

    p->guessed |= is_number;
    buf_add_json_string(p->out, is_number ? wire_digits(node) : wire_text(node));
}

void plain_json_set(struct plain_json *p, const wire_node *array)
{
    const char *before = "[";

    for (const wire_node *e = wire_first(array); e; e = wire_next(e), before = ",") {
        buf_add_text(p->out, before);
        if (plain_json_is_scalar(e))
            plain_json_scalar(p, e);
        else
            buf_add_span(p->out, wire_raw(e));
    }
    buf_add_text(p->out, *before == ',' ? "]" : "[]");
}

void plain_json_list(struct plain_json *p, const wire_node *array)
{
    const char *before = "[";

    for (const wire_node *e = wire_first(array); e; e = wire_next(e), before = ",") {
        buf_add_text(p->out, before);
        p->put(p, e);
    }
    buf_add_text(p->out, *before == ',' ? "]" : "[]");
}

void plain_json_map(struct plain_json *p, const wire_node *object)
{
    const char *before = "{";

    for (const wire_node *m = wire_first(object); m; m = wire_next(m), before = ",") {
        buf_add_text(p->out, before);
        buf_add_json_string(p->out, wire_name(m));
        buf_add_char(p->out, ':');
        p->put(p, m);
    }
    buf_add_text(p->out, *before == ',' ? "}" : "{}");
}

void plain_json_put(struct plain_json *p, const wire_node *value)
{
    static const enum attr_type types[] = {
        [JSON_STRING] = ATTR_S,  [JSON_NUMBER] = ATTR_N, [JSON_BOOL] = ATTR_BOOL,
        [JSON_NULL] = ATTR_NULL, [JSON_ARRAY] = ATTR_L,  [JSON_OBJECT] = ATTR_M,
    };
    enum json_kind kind = json_kind(value);

    p->guessed = true;
    buf_printf(p->out, "{\"%s\":", attr_type_code(types[kind]));
    if (plain_json_is_scalar(value))
        plain_json_scalar(p, value);
    else if (kind == JSON_ARRAY)
        plain_json_list(p, value);
    else if (kind == JSON_OBJECT)
        plain_json_map(p, value);
    else
        buf_add_text(p->out, kind == JSON_BOOL && !wire_bool(value, false) ? "false" : "true");
    buf_add_char(p->out, '}');
}
