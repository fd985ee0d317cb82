#include "wire/wire_reply.h"

#include <math.h>

#include "model/item_codec.h"
#include "model/names.h"

static void before_value(struct wire_writer *w)
{
    if (w->comma)
        buf_add_char(w->out, ',');
    w->comma = true;
}

void wire_open(struct wire_writer *w, char bracket)
{
    before_value(w);
    buf_add_char(w->out, bracket);
    w->comma = false;
}

void wire_close(struct wire_writer *w, char bracket)
{
    buf_add_char(w->out, bracket);
    w->comma = true;
}

void wire_key_span(struct wire_writer *w, struct span name)
{
    before_value(w);
    buf_add_json_string(w->out, name);
    buf_add_char(w->out, ':');
    w->comma = false;
}

void wire_key(struct wire_writer *w, const char *name)
{
    before_value(w);
    buf_add_char(w->out, '"');
    buf_add_text(w->out, name);
    buf_add(w->out, "\":", 2);
    w->comma = false;
}

void wire_put_text(struct wire_writer *w, struct span text)
{
    before_value(w);
    buf_add_json_string(w->out, text);
}

void wire_put_integer(struct wire_writer *w, int64_t value)
{
    before_value(w);
    buf_add_integer(w->out, value);
}

void wire_put_bool(struct wire_writer *w, bool value)
{
    before_value(w);
    buf_add_text(w->out, value ? "true" : "false");
}

void wire_open_member(struct wire_writer *w, const char *name, char bracket)
{
    wire_key(w, name);
    wire_open(w, bracket);
}

void wire_put_member_text(struct wire_writer *w, const char *name, struct span text)
{
    wire_key(w, name);
    wire_put_text(w, text);
}

void wire_put_member_word(struct wire_writer *w, const char *name, const char *word)
{
    wire_put_member_text(w, name, span_of(word));
}

void wire_put_member_integer(struct wire_writer *w, const char *name, int64_t value)
{
    wire_key(w, name);
    wire_put_integer(w, value);
}

void wire_put_member_bool(struct wire_writer *w, const char *name, bool value)
{
    wire_key(w, name);
    wire_put_bool(w, value);
}

void wire_put_member_time(struct wire_writer *w, const char *name, int64_t ms)
{
    wire_key(w, name);
    before_value(w);
    buf_printf(w->out, "%lld.%03d", (long long)(ms / 1000), (int)(ms % 1000));
}

void wire_put_member_raw(struct wire_writer *w, const char *name, struct span json)
{
    wire_key(w, name);
    wire_put_raw(w, json);
}

void wire_put_set_text(struct wire_writer *w, const char *name, struct span text)
{
    if (text.len)
        wire_put_member_text(w, name, text);
}

void wire_put_set_integer(struct wire_writer *w, const char *name, int64_t value)
{
    if (value)
        wire_put_member_integer(w, name, value);
}

void wire_put_set_time(struct wire_writer *w, const char *name, int64_t ms)
{
    if (ms)
        wire_put_member_time(w, name, ms);
}

void wire_put_units(struct wire_writer *w, double units)
{
    before_value(w);
    buf_printf(w->out, "%.1f", units);
}

void wire_put_double(struct wire_writer *w, double value)
{
    before_value(w);
    if (value == floor(value) && fabs(value) < 1e15)
        buf_printf(w->out, "%.1f", value);
    else
        buf_printf(w->out, "%.17g", value);
}

void wire_put_raw(struct wire_writer *w, struct span json)
{
    before_value(w);
    buf_add_span(w->out, json);
}

void wire_put_item(struct wire_writer *w, const struct item *it)
{
    before_value(w);
    item_encode(w->out, it);
}

void wire_put_key_schema(struct wire_writer *w, const struct key_schema *keys)
{
    const struct key_part *part;

    wire_open_member(w, "KeySchema", '[');
    for (size_t i = 0; (part = schema_key_part(keys, i)); i++) {
        wire_open(w, '{');
        wire_put_member_text(w, "AttributeName", part->name);
        wire_put_member_word(w, "KeyType",
                             names_key_kinds[i < keys->hash_count ? KEY_HASH : KEY_RANGE]);
        wire_close(w, '}');
    }
    wire_close(w, ']');
}
