#include "ops/transfer/transfer_json_fault.h"

#include "base/ascii.h"
#include "wire/wire_body.h"

#define DEPTH_MAX 128 /* brackets whose kind is known */

/* The valid part of the text, before the first error. */
struct json_prefix {
    char brackets[DEPTH_MAX];
    size_t depth;
    char last;       /* last character that is not a blank; a quote ends a string */
    bool was_name;   /* the last string is a member's name */
    size_t unclosed; /* position after the quote of an unclosed string; 0: all are closed */
};

static char innermost_bracket(const struct json_prefix *b)
{
    return b->depth && b->depth <= DEPTH_MAX ? b->brackets[b->depth - 1] : '{';
}

/* Returns the position after the string at `at`. */
static size_t pass_string(struct json_prefix *b, struct span text, size_t at)
{
    b->was_name = innermost_bracket(b) == '{' && (b->last == '{' || b->last == ',');
    b->unclosed = ++at;
    while (at < text.len && text.at[at] != '"' && text.at[at] != '\n')
        at += text.at[at] == '\\' ? 2 : 1;
    if (at >= text.len || text.at[at] == '\n')
        return text.len;
    b->unclosed = 0;
    return at + 1;
}

static void look_through(struct json_prefix *b, struct span text)
{
    for (size_t at = 0; at < text.len;) {
        char c = text.at[at];

        if (c == '"') {
            at = pass_string(b, text, at);
        } else {
            at++;
            if (ascii_is_blank(c))
                continue;
            if (c == '{' || c == '[') {
                if (b->depth < DEPTH_MAX)
                    b->brackets[b->depth] = c;
                b->depth++;
            } else if (b->depth && (c == '}' || c == ']')) {
                b->depth--;
            }
        }
        b->last = c;
    }
}

/* Names the token that is missing. */
static const char *missing_token(const struct json_prefix *b, bool at_end)
{
    const bool in_list = innermost_bracket(b) == '[';

    if (b->last == ':' || (in_list && (b->last == '[' || b->last == ',')))
        return "a value is missing";
    if (b->last == '"' && b->was_name)
        return "a colon is missing";
    if (b->last == ',' || (b->last == '{' && !at_end))
        return "a name in quotes is missing";
    if (at_end)
        return in_list ? "a ] is missing" : "a } is missing";
    return in_list ? "a comma or ] is missing" : "a comma or } is missing";
}

static const char *in_column(struct arena *a, const char *problem, size_t at, size_t column)
{
    return column ? arena_printf(a, "%s in column %zu", problem, column + at) : problem;
}

const char *transfer_json_fault(struct arena *a, struct span text, size_t column)
{
    struct json_prefix b = {.depth = 0};
    struct span sound;
    const char *stop;
    size_t at;

    while (text.len && ascii_is_blank(text.at[text.len - 1]))
        text.len--;
    if (!text.len || text.at[0] != '{')
        return "a JSON object must begin with {";
    stop = wire_error_at(a, text);
    at = stop ? (size_t)(stop - text.at) : text.len;
    sound = (struct span){text.at, at};
    look_through(&b, sound);
    if (b.unclosed && at < text.len && text.at[at] != '\n')
        return in_column(a,
                         "a string has a character that is not UTF-8 or that JSON does not allow",
                         at, column);
    if (b.unclosed)
        return in_column(
            a, column ? "a \" is missing: it would end the string that begins" : "a \" is missing",
            b.unclosed - 1, column);
    if (!b.depth)
        return stop ? in_column(a, "the text continues after the object", at, column) : NULL;
    return at == text.len ? missing_token(&b, true)
                          : in_column(a, missing_token(&b, false), at, column);
}
