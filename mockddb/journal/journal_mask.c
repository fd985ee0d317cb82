#include "journal/journal_mask.h"

#include "wire/wire_node.h"

bool journal_mask_has(const struct journal_options *o, struct span name)
{
    for (size_t i = 0; i < o->mask_count; i++)
        if (span_is(name, o->masks[i]))
            return true;
    return false;
}

static bool text_meets(const struct journal_options *o, struct span text)
{
    for (size_t i = 0; i < o->mask_count; i++) {
        struct span mask = span_of(o->masks[i]);

        for (size_t at = 0; at + mask.len <= text.len; at++)
            if (memcmp(text.at + at, mask.at, mask.len) == 0)
                return true;
    }
    return false;
}

bool journal_mask_meets(const struct journal_options *o, const wire_node *request)
{
    if (!o->mask_count)
        return false;
    if (text_meets(o, wire_name(request)) || text_meets(o, wire_text(request)))
        return true;
    for (const wire_node *n = wire_first(request); n; n = wire_next(n))
        if (journal_mask_meets(o, n))
            return true;
    return false;
}

/* --- values ----------------------------------------------------------------------------------- */

void journal_mask_put(struct wire_writer *w, const struct journal_options *o, const wire_node *node)
{
    bool object = wire_is_object(node);

    if (!o->mask_count || !(object || wire_is_list(node))) {
        wire_put_raw(w, wire_raw(node));
        return;
    }
    wire_open(w, object ? '{' : '[');
    for (const wire_node *n = wire_first(node); n; n = wire_next(n)) {
        if (object)
            wire_key_span(w, wire_name(n));
        if (object && journal_mask_has(o, wire_name(n)))
            wire_put_text(w, SPAN_LIT(JOURNAL_MASKED));
        else
            journal_mask_put(w, o, n);
    }
    wire_close(w, object ? '}' : ']');
}

/* {"S": "a"} as "a", {"N": "1"} as 1, any other value as it was sent. */
static void add_value(struct buf *out, const struct journal_options *o, const wire_node *value)
{
    const wire_node *inner = wire_first(value);
    struct wire_writer w = {.out = out};

    if (inner && wire_is_string(inner) && span_is(wire_name(inner), "S"))
        buf_add_json_string(out, wire_text(inner));
    else if (inner && wire_is_string(inner) && span_is(wire_name(inner), "N"))
        buf_add_span(out, wire_text(inner));
    else
        journal_mask_put(&w, o, value);
}

/* --- expressions ------------------------------------------------------------------------------ */

/* The length of the placeholder at the text's beginning, or 0. */
static size_t placeholder_length(struct span text)
{
    size_t len = 1;

    if (text.at[0] != '#' && text.at[0] != ':')
        return 0;
    while (len < text.len && ascii_is_word(text.at[len]))
        len++;
    return len;
}

struct expanding {
    const struct journal_options *options;
    const wire_node *names, *values;
    bool masked; /* values are not shown */
};

static struct span expand_placeholders(struct arena *a, const struct expanding *x, struct span text)
{
    struct buf out = buf_in(a);

    while (text.len) {
        size_t len = placeholder_length(text);

        if (len) {
            struct span word = {text.at, len};
            const wire_node *node = wire_get_span(word.at[0] == '#' ? x->names : x->values, word);

            if (!node)
                buf_add_span(&out, word);
            else if (word.at[0] == '#')
                buf_add_span(&out, wire_text(node));
            else if (x->masked)
                buf_add_text(&out, JOURNAL_MASKED);
            else
                add_value(&out, x->options, node);
        } else
            buf_add_char(&out, text.at[0]);
        text = span_from(text, len ? len : 1);
    }
    return buf_span(&out);
}

struct span journal_mask_expression(struct arena *a, const struct journal_options *o,
                                    const wire_node *entry, struct span text)
{
    struct expanding x = {
        .options = o,
        .names = wire_get(entry, "ExpressionAttributeNames"),
        .masked = true,
    };

    x.masked = text_meets(o, expand_placeholders(a, &x, text));
    x.values = wire_get(entry, "ExpressionAttributeValues");
    return expand_placeholders(a, &x, text);
}

/* --- statements ------------------------------------------------------------------------------- */

struct span journal_mask_statement(struct arena *a, const struct journal_options *o,
                                   const wire_node *entry, struct span text)
{
    const wire_node *parameter = wire_first(wire_get(entry, "Parameters"));
    struct buf out = buf_in(a);
    bool quoted = false;

    if (text_meets(o, text))
        return SPAN_LIT(JOURNAL_MASKED);
    for (size_t i = 0; i < text.len; i++) {
        quoted ^= text.at[i] == '\'';
        if (text.at[i] == '?' && !quoted && parameter) {
            add_value(&out, o, parameter);
            parameter = wire_next(parameter);
        } else {
            buf_add_char(&out, text.at[i]);
        }
    }
    return buf_span(&out);
}
