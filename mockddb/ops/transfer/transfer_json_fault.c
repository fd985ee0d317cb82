#include "ops/transfer/transfer_json_fault.h"

#include "base/ascii.h"
#include "wire/wire_body.h"

#define DEPTH_MAX 128 /* of brackets whose kind is known */

/* The text before the place where it stops being JSON, which is sound as far as it goes. */
struct before {
    char brackets[DEPTH_MAX];
    size_t depth;
    char last;       /* character that is no blank; a quote: a string's end */
    bool was_name;   /* that string is a member's name */
    size_t unclosed; /* behind the quote of a string that does not end; 0: it ends */
};

static char innermost(const struct before *b)
{
    return b->depth && b->depth <= DEPTH_MAX ? b->brackets[b->depth - 1] : '{';
}

/* Behind the string that begins there. */
static size_t pass_string(struct before *b, struct span text, size_t at)
{
    b->was_name = innermost(b) == '{' && (b->last == '{' || b->last == ',');
    b->unclosed = ++at;
    while (at < text.len && text.at[at] != '"' && text.at[at] != '\n')
        at += text.at[at] == '\\' ? 2 : 1;
    if (at >= text.len || text.at[at] == '\n')
        return text.len;
    b->unclosed = 0;
    return at + 1;
}

static void look_through(struct before *b, struct span text)
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

/* What would have to come next. */
static const char *expected(const struct before *b, bool at_end)
{
    const bool in_list = innermost(b) == '[';

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
    struct before b = {.depth = 0};
    struct span sound;
    const char *stop;
    size_t at;

    while (text.len && ascii_is_blank(text.at[text.len - 1]))
        text.len--;
    if (!text.len || text.at[0] != '{')
        return "a JSON object begins with {";
    stop = wire_error_place(a, text);
    at = stop ? (size_t)(stop - text.at) : text.len;
    sound = (struct span){text.at, at};
    look_through(&b, sound);
    if (b.unclosed && at < text.len && text.at[at] != '\n')
        return in_column(a,
                         "a string has a character that is no UTF-8, or that JSON does not allow",
                         at, column);
    if (b.unclosed)
        return in_column(
            a, column ? "a \" is missing: it would end the string that begins" : "a \" is missing",
            b.unclosed - 1, column);
    if (!b.depth)
        return stop ? in_column(a, "the object has ended before the text", at, column) : NULL;
    return at == text.len ? expected(&b, true) : in_column(a, expected(&b, false), at, column);
}
