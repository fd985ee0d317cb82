#include "ops/transfer/transfer_look.h"

#include "base/ascii.h"
#include "base/plain.h"
#include "model/attr.h"

size_t transfer_look_past_blanks(struct span text, size_t at)
{
    while (at < text.len && ascii_is_blank(text.at[at]))
        at++;
    return at;
}

/* Behind the string that begins there; 0 where it does not end. */
static size_t past_string(struct span text, size_t at)
{
    for (at++; at < text.len; at++) {
        at = (size_t)(plain_end(text.at + at, span_end(text)) - text.at);
        if (at == text.len)
            return 0;
        if (text.at[at] == '"')
            return at + 1;
        if (text.at[at] == '\\')
            at++;
    }
    return 0;
}

size_t transfer_look_past_value(struct span text, size_t at)
{
    size_t depth = 0;

    while (at < text.len) {
        char c = text.at[at];

        if (c == '"') {
            if (!(at = past_string(text, at)))
                return 0;
        } else {
            if (!depth && (c == ',' || c == '}' || c == ']' || ascii_is_blank(c)))
                return at;
            depth += c == '{' || c == '[';
            depth -= depth && (c == '}' || c == ']');
            at++;
            if (depth || !(c == '}' || c == ']'))
                continue;
        }
        if (!depth)
            return at;
    }
    return 0;
}

/* A name with its colon at a place; the place of its value, 0 where there is none. */
static size_t take_name(struct span text, size_t at, struct span *name)
{
    size_t end = past_string(text, at);

    if (!end)
        return 0;
    *name = (struct span){text.at + at + 1, end - at - 2};
    end = transfer_look_past_blanks(text, end);
    if (end >= text.len || text.at[end] != ':')
        return 0;
    end = transfer_look_past_blanks(text, end + 1);
    return end < text.len ? end : 0;
}

size_t transfer_look_past_member(struct span text, size_t at)
{
    struct span name;

    at = take_name(text, at, &name);
    return at ? transfer_look_past_value(text, at) : 0;
}

size_t transfer_look(struct span text,
                     bool (*see)(void *context, const struct transfer_look_member *m),
                     void *context)
{
    size_t depth = 0, at = 0;

    while (at < text.len) {
        struct transfer_look_member m = {.depth = depth};
        char c = text.at[at];

        if (c == '{') {
            depth++;
            at++;
        } else if (c == '}') {
            at++;
            if (--depth == 0)
                return at;
        } else if (c == '"') {
            if (!(at = take_name(text, at, &m.name)))
                return 0;
            m.value = span_from(text, at);
            if (!see(context, &m))
                return 0;
            if (depth < 2 && text.at[at] == '{')
                continue;
            if (!(at = transfer_look_past_value(text, at)))
                return 0;
        } else if (c == ',' || ascii_is_blank(c)) {
            at++;
        } else {
            return 0;
        }
    }
    return 0;
}

/* Whether a map has attributes in it, or none. */
static bool is_map(struct span text)
{
    struct span name;
    size_t at = transfer_look_past_blanks(text, 1);

    if (at == text.len || text.at[at] != '"')
        return at < text.len && text.at[at] == '}';
    at = take_name(text, at, &name);
    return at && text.at[at] == '{';
}

bool transfer_look_is_typed(const struct transfer_look_member *m)
{
    char first = m->value.at[0];
    enum attr_type type;

    if (!attr_type_of_code(m->name, &type))
        return false;
    switch (type) {
    case ATTR_S:
    case ATTR_N:
    case ATTR_B:
        return first == '"';
    case ATTR_BOOL:
    case ATTR_NULL:
        return first == 't' || first == 'f';
    case ATTR_M:
        return first == '{' && is_map(m->value);
    case ATTR_SS:
    case ATTR_NS:
    case ATTR_BS:
    case ATTR_L:
        return first == '[';
    case ATTR_TYPE_COUNT:
        break;
    }
    return false;
}
