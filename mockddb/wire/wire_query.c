#include "wire/wire_query.h"

#include "base/ascii.h"
#include "base/cut.h"
#include "base/date.h"
#include "base/sigv4.h"

#include <stdlib.h>

#define MAX_FIELDS 4096
#define MAX_FORM   ((size_t)1 << 20) /* in JSON a byte may take six */

/* --- forms ------------------------------------------------------------------------------------ */

static struct span decoded_text(struct arena *a, struct span text)
{
    char *spaced = arena_text(a, text);

    for (size_t i = 0; i < text.len; i++)
        if (spaced[i] == '+')
            spaced[i] = ' ';
    return sigv4_decode(a, (struct span){spaced, text.len});
}

static int by_name(const void *one, const void *two)
{
    const struct wire_field *a = one, *b = two;
    int order = span_compare(a->name, b->name);

    return order ? order : (a->place > b->place) - (a->place < b->place);
}

bool wire_query_read(struct arena *a, struct span text, struct wire_form *out)
{
    if (text.len > MAX_FORM)
        return false;
    *out = (struct wire_form){.at = arena_array(a, MAX_FIELDS, sizeof *out->at)};
    while (text.len) {
        struct span value = cut_part(&text, '&'), name;

        if (!value.len)
            continue;
        if (out->count == MAX_FIELDS)
            return false;
        name = cut_part(&value, '=');
        out->at[out->count] = (struct wire_field){decoded_text(a, name), decoded_text(a, value),
                                                  out->count};
        out->count++;
    }
    if (out->count)
        qsort(out->at, out->count, sizeof *out->at, by_name);
    return true;
}

/* The first field whose name is not less than `name`, or NULL. */
static const struct wire_field *seek_field(const struct wire_form *form, struct span name)
{
    size_t low = 0, high = form->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (span_compare(form->at[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < form->count ? &form->at[low] : NULL;
}

static struct span field_of(const struct wire_form *form, struct span name)
{
    const struct wire_field *found = seek_field(form, name);

    return found && span_equal(found->name, name) ? found->value : (struct span){NULL, 0};
}

struct span wire_query_field(const struct wire_form *form, const char *name)
{
    return field_of(form, span_of(name));
}

/* --- JSON ------------------------------------------------------------------------------------- */

struct making {
    struct arena *arena;
    const struct wire_form *form;
    struct buf out;
};

static bool has_prefix(const struct making *m, struct span prefix)
{
    const struct wire_field *found = seek_field(m->form, prefix);

    return found && span_starts_with(found->name, prefix);
}

static size_t digits_at(struct span text, size_t at)
{
    size_t from = at;

    while (at < text.len && ascii_is_digit(text.at[at]))
        at++;
    return at - from;
}

#define MOST_DIGITS 18 /* of a whole number; no figure needs more */

/* Whether the text is a JSON number without an exponent. */
static bool is_number(struct span text)
{
    size_t at = text.len && text.at[0] == '-', whole = digits_at(text, at), part;

    if (!whole || whole > MOST_DIGITS || (whole > 1 && text.at[at] == '0'))
        return false;
    at += whole;
    if (at == text.len)
        return true;
    part = text.at[at] == '.' ? digits_at(text, at + 1) : 0;
    return part && at + 1 + part == text.len;
}

static void add_scalar(struct making *m, const struct wire_shape *shape, struct span value)
{
    bool counts = shape->type == WIRE_INTEGER || shape->type == WIRE_LONG ||
                  shape->type == WIRE_DOUBLE || shape->type == WIRE_TIMESTAMP;
    int64_t ms;

    if (shape->type == WIRE_TIMESTAMP && date_read_extended(value, &ms))
        buf_printf(&m->out, "%.3f", (double)ms / 1000);
    else if ((counts && is_number(value)) ||
             (shape->type == WIRE_BOOLEAN && (span_is(value, "true") || span_is(value, "false"))))
        buf_add_span(&m->out, value);
    else
        buf_add_json_string(&m->out, value);
}

static void add_members(struct making *m, const struct wire_member *members, const char *prefix);

/* NAME.member.1, NAME.member.2 … */
static void add_list(struct making *m, const struct wire_shape *element, const char *name)
{
    buf_add_char(&m->out, '[');
    for (size_t i = 1; i <= m->form->count; i++) {
        const char *at = arena_printf(m->arena, "%s.member.%zu", name, i);
        struct span value = field_of(m->form, span_of(at));
        bool nested = !value.at && has_prefix(m, span_of(arena_printf(m->arena, "%s.", at)));

        if (!value.at && !nested)
            break;
        if (i > 1)
            buf_add_char(&m->out, ',');
        if (nested)
            add_members(m, element->members, arena_printf(m->arena, "%s.", at));
        else
            add_scalar(m, element, value);
    }
    buf_add_char(&m->out, ']');
}

static void add_members(struct making *m, const struct wire_member *members, const char *prefix)
{
    const char *comma = "";

    buf_add_char(&m->out, '{');
    for (; members && members->name; members++) {
        const char *name = arena_printf(m->arena, "%s%s", prefix, members->name);
        struct span value = field_of(m->form, span_of(name));

        if (!value.at && !has_prefix(m, span_of(arena_printf(m->arena, "%s.", name))))
            continue;
        buf_printf(&m->out, "%s\"%s\":", comma, members->name);
        comma = ",";
        if (members->shape->type == WIRE_LIST)
            add_list(m, members->shape->element, name);
        else if (members->shape->type == WIRE_STRUCT)
            add_members(m, members->shape->members, arena_printf(m->arena, "%s.", name));
        else
            add_scalar(m, members->shape, value.at ? value : (struct span){"", 0});
    }
    buf_add_char(&m->out, '}');
}

struct span wire_query_json(struct arena *a, const struct wire_member *members,
                            const struct wire_form *form)
{
    struct making m = {.arena = a, .form = form, .out = buf_in(a)};

    add_members(&m, members, "");
    return buf_span(&m.out);
}

/* --- XML -------------------------------------------------------------------------------------- */

void wire_query_add_text(struct buf *out, struct span text)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.at[i];

        if (c == '&')
            buf_add_text(out, "&amp;");
        else if (c == '<')
            buf_add_text(out, "&lt;");
        else if (c == '>')
            buf_add_text(out, "&gt;");
        else if (c < ' ' && c != '\t' && c != '\n')
            buf_add_text(out, c == '\r' ? "&#13;" : "?"); /* XML cannot represent them */
        else
            buf_add_char(out, (char)c);
    }
}

static void add_value(struct arena *a, struct buf *out, const struct wire_shape *shape,
                      const wire_node *n)
{
    switch (shape->type) {
    case WIRE_LIST:
        for (const wire_node *e = wire_first(n); e; e = wire_next(e)) {
            buf_add_text(out, "<member>");
            add_value(a, out, shape->element, e);
            buf_add_text(out, "</member>");
        }
        return;
    case WIRE_MAP:
        for (const wire_node *e = wire_first(n); e; e = wire_next(e)) {
            buf_add_text(out, "<entry><key>");
            wire_query_add_text(out, wire_name(e));
            buf_add_text(out, "</key><value>");
            add_value(a, out, shape->element, e);
            buf_add_text(out, "</value></entry>");
        }
        return;
    case WIRE_STRUCT:
        wire_query_xml(a, out, shape->members, n);
        return;
    case WIRE_TIMESTAMP:
        buf_add_text(out, date_extended(a, wire_time(n, 0)));
        return;
    case WIRE_STRING:
        wire_query_add_text(out, wire_text(n));
        return;
    default:
        buf_add_span(out, wire_raw(n));
    }
}

void wire_query_xml(struct arena *a, struct buf *out, const struct wire_member *members,
                    const wire_node *body)
{
    for (; members->name; members++) {
        const wire_node *value = wire_get(body, members->name);

        if (!value)
            continue;
        buf_printf(out, "<%s>", members->name);
        add_value(a, out, members->shape, value);
        buf_printf(out, "</%s>", members->name);
    }
}
