#include "fixtures_items.h"

static struct span trim(struct span s)
{
    static const char blanks[] = " \t\r";

    while (s.len && memchr(blanks, s.at[0], sizeof blanks - 1))
        s = span_from(s, 1);
    while (s.len && memchr(blanks, s.at[s.len - 1], sizeof blanks - 1))
        s.len--;
    return s;
}

/* Length of the string at the start of s with its quotes, or 0 where it does not end. */
static size_t string_length(struct span s)
{
    for (size_t i = 1; i < s.len; i++) {
        if (s.at[i] == '"')
            return i + 1;
        if (s.at[i] == '\\')
            i++;
    }
    return 0;
}

/* Length of the object at the start of s, or 0 where there is none or it does not end. */
static size_t object_length(struct span s)
{
    size_t depth = 0;

    for (size_t i = 0; i < s.len; i++) {
        char c = s.at[i];

        if (c == '"') {
            size_t len = string_length(span_from(s, i));

            if (!len)
                return 0;
            i += len - 1;
        } else if (c == '{' || c == '[') {
            depth++;
        } else if ((c == '}' || c == ']') && depth && --depth == 0) {
            return i + 1;
        }
        if (!depth) /* it has to begin with a bracket */
            return 0;
    }
    return 0;
}

static bool is_object(struct span s)
{
    return s.len && s.at[0] == '{' && object_length(s) == s.len;
}

/* What stands in {"Item": …}, or the line itself. */
static struct span unwrap(struct span line)
{
    static const char name[] = "\"Item\"";
    struct span inside = trim((struct span){line.at + 1, line.len - 2});

    if (!span_starts_with(inside, span_of(name)))
        return line;
    inside = trim(span_from(inside, sizeof name - 1));
    if (!inside.len || inside.at[0] != ':')
        return line;
    inside = trim(span_from(inside, 1));
    return is_object(inside) ? inside : line;
}

static struct span take_line(struct span *rest)
{
    const char *end = memchr(rest->at, '\n', rest->len);
    struct span line = {rest->at, end ? (size_t)(end - rest->at) : rest->len};

    *rest = span_from(*rest, end ? line.len + 1 : line.len);
    return trim(line);
}

enum fixture_reading fixture_next_line(struct span *rest, size_t *number, struct span partition,
                                       struct fixture_line *line)
{
    while (rest->len) {
        struct span text = take_line(rest);

        line->number = ++*number;
        if (!text.len)
            continue;
        if (!is_object(text))
            return FIXTURE_BAD_LINE;
        line->item = span_is(partition, "Item") ? text : unwrap(text);
        return FIXTURE_LINE;
    }
    return FIXTURE_END;
}
