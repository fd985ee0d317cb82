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

#define BROKEN    TRANSFER_LOOK_BROKEN
#define DEPTH_MAX 128 /* of brackets: more than a record may have */

static bool is_found(size_t at)
{
    return at && at != BROKEN;
}

/* Returns the position after a string; 0 if the string does not end, BROKEN if its line ends first.
 */
static size_t past_string(struct span text, size_t at)
{
    for (at++; at < text.len; at++) {
        at = (size_t)(plain_end(text.at + at, span_end(text)) - text.at);
        if (at == text.len)
            return 0;
        if (text.at[at] == '"')
            return at + 1;
        if (text.at[at] == '\n')
            return BROKEN;
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
            if (!is_found(at = past_string(text, at)))
                return at;
        } else {
            if (!depth && (c == ',' || c == '}' || c == ']' || ascii_is_blank(c)))
                return at;
            depth += c == '{' || c == '[';
            if (depth > DEPTH_MAX)
                return BROKEN;
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

/* Reads a name and its colon. Returns the position of the value; 0 if the text ends first, BROKEN
 * without a colon. */
static size_t take_name(struct span text, size_t at, struct span *name)
{
    size_t end = past_string(text, at);

    if (!is_found(end))
        return end;
    *name = (struct span){text.at + at + 1, end - at - 2};
    end = transfer_look_past_blanks(text, end);
    if (end < text.len && text.at[end] != ':')
        return BROKEN;
    end = end < text.len ? transfer_look_past_blanks(text, end + 1) : end;
    return end < text.len ? end : 0;
}

size_t transfer_look_past_member(struct span text, size_t at)
{
    struct span name;

    at = take_name(text, at, &name);
    return is_found(at) ? transfer_look_past_value(text, at) : at;
}

size_t transfer_look(struct span text,
                     bool (*see)(void *context, const struct transfer_look_member *m),
                     void *context)
{
    size_t depth = 0, at = 0;
    bool begins = true; /* an object may begin here */

    while (at < text.len) {
        struct transfer_look_member m = {.depth = depth};
        char c = text.at[at];

        if (c == '{' && begins) {
            depth++;
            at++;
        } else if (c == '}' && depth) {
            at++;
            if (--depth == 0)
                return at;
        } else if (c == '"') {
            if (!is_found(at = take_name(text, at, &m.name)))
                return at;
            m.value = span_from(text, at);
            if (!see(context, &m))
                return 0;
            begins = depth < 2 && text.at[at] == '{';
            if (begins)
                continue;
            if (!is_found(at = transfer_look_past_value(text, at)))
                return at;
        } else if (c == ',' || ascii_is_blank(c)) {
            at++;
        } else {
            return BROKEN;
        }
        begins = false;
    }
    return 0;
}

/* Whether this is a map of attributes; it may be empty. */
static bool is_map(struct span text)
{
    struct span name;
    size_t at = transfer_look_past_blanks(text, 1);

    if (at == text.len || text.at[at] != '"')
        return at < text.len && text.at[at] == '}';
    at = take_name(text, at, &name);
    return is_found(at) && text.at[at] == '{';
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
