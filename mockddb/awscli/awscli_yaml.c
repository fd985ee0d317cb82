#include "awscli/awscli_yaml.h"

#include "base/process.h"
#include "base/utf8.h"

#include <regex.h>
#include <stdlib.h>

#define WIDTH    80  /* texts are folded at a blank behind this column */
#define KEY_MOST 128 /* bytes; a longer key is written behind a '?' */
#define INDENT   2

/* What YAML 1.2 reads as a number, boolean, null or date if it is not quoted. */
static const char other_types[] =
    "^(|~|null|Null|NULL|true|True|TRUE|false|False|FALSE|<<|=|"
    "[-+]?0b[01_]+|[-+]?0o?[0-7_]+|[-+]?[0-9][0-9_]*|[-+]?0x[0-9a-fA-F_]+|"
    "[-+]?[0-9][0-9_]*\\.[0-9_]*([eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+|"
    "[-+]?\\.[0-9_]+([eE][-+][0-9]+)?|[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)|"
    "[0-9]{4}-[0-9]{2}-[0-9]{2}|"
    "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(\\.[0-9]*)?"
    "([ \t]*(Z|[-+][0-9]{1,2}(:[0-9]{2})?))?)$";

struct yaml {
    struct buf *out;
    size_t column; /* in characters */
    regex_t other_types;
};

static void put(struct yaml *y, struct span text)
{
    size_t len;

    buf_add_span(y->out, text);
    for (; text.len; text = span_from(text, len), y->column++)
        (void)utf8_letter(text, &len);
}

static void put_word(struct yaml *y, const char *text)
{
    put(y, span_of(text));
}

static void start_line(struct yaml *y, size_t indent)
{
    buf_printf(y->out, "\n%*s", (int)indent, "");
    y->column = indent;
}

/* --- texts ------------------------------------------------------------------------------------ */

enum style { PLAIN, SINGLE, DOUBLE };

/* Whether a letter is written as it is. */
static bool is_printable(uint32_t letter)
{
    return letter == '\n' || (letter >= 0x20 && letter <= 0x7e) ||
           (letter >= 0xa0 && letter <= 0xfffd && letter != 0xfeff && letter != 0x2028 &&
            letter != 0x2029);
}

static bool has_break(struct span text)
{
    size_t len;

    for (; text.len; text = span_from(text, len)) {
        uint32_t letter = utf8_letter(text, &len);

        if (letter == '\n' || letter == '\r' || letter == 0x85 || letter == 0x2028 ||
            letter == 0x2029)
            return true;
    }
    return false;
}

/* Whether a plain text with the character at `at` would be read as something else. */
static bool is_indicator(struct span text, size_t at)
{
    bool ends_word = at + 1 >= text.len || span_has(SPAN_LIT(" \t\n\r"), text.at[at + 1]);

    if (at)
        return (text.at[at] == ':' && ends_word) || (text.at[at] == '#' && text.at[at - 1] == ' ');
    return span_has(SPAN_LIT("#,[]{}&*!|>'\"%@`"), *text.at) ||
           (span_has(SPAN_LIT("?:-"), *text.at) && ends_word);
}

static enum style style_of(const struct yaml *y, struct span text)
{
    bool plain = !span_starts_with(text, SPAN_LIT("---")) &&
                 !span_starts_with(text, SPAN_LIT("..."));
    char before = '\0';
    size_t len;

    for (size_t i = 0; i < text.len; i += len) {
        struct span rest = span_from(text, i);
        char c = *rest.at;

        if (!is_printable(utf8_letter(rest, &len)) || (c == ' ' && before == '\n') ||
            (c == '\n' && before == ' '))
            return DOUBLE;
        plain = plain && c != '\n' && !is_indicator(text, i);
        before = c;
    }
    if (!plain || *span_printable(text) == ' ' || before == ' ' ||
        !regexec(&y->other_types, arena_text(y->out->arena, text), 0, NULL, 0))
        return SINGLE;
    return PLAIN;
}

/* Whether the blank at the start of `rest` is a place to fold a text. */
static bool folds(const struct yaml *y, struct span text, struct span rest, bool key)
{
    return !key && *rest.at == ' ' && y->column > WIDTH && rest.len > 1 && rest.at > text.at &&
           rest.at[-1] != ' ';
}

static void put_quoted(struct yaml *y, struct span text, enum style style, size_t indent, bool key)
{
    size_t len;

    put_word(y, style == SINGLE ? "'" : "");
    for (struct span rest = text; rest.len; rest = span_from(rest, len)) {
        (void)utf8_letter(rest, &len);
        if (folds(y, text, rest, key) && rest.at[1] != ' ') {
            start_line(y, indent);
        } else if (*rest.at == '\n') { /* breaks within a text are doubled once */
            while (len < rest.len && rest.at[len] == '\n')
                len++;
            for (size_t i = 0; i < len; i++)
                buf_add_char(y->out, '\n');
            start_line(y, indent);
        } else {
            put_word(y, style == SINGLE && *rest.at == '\'' ? "'" : "");
            put(y, (struct span){rest.at, len});
        }
    }
    put_word(y, style == SINGLE ? "'" : "");
}

static void put_escape(struct yaml *y, uint32_t letter)
{
    static const struct {
        uint32_t letter;
        char escape;
    } escapes[] = {
        {0, '0'},  {7, 'a'},  {8, 'b'},   {9, 't'},     {10, 'n'},   {11, 'v'},     {12, 'f'},
        {13, 'r'}, {27, 'e'}, {'"', '"'}, {'\\', '\\'}, {0x85, 'N'}, {0x2028, 'L'}, {0x2029, 'P'},
    };
    const int digits = letter < 0x100 ? 2 : letter < 0x10000 ? 4 : 8;

    for (size_t i = 0; i < COUNT(escapes); i++)
        if (escapes[i].letter == letter) {
            put(y, (struct span){(const char[]){'\\', escapes[i].escape}, 2});
            return;
        }
    put_word(y, arena_printf(y->out->arena, "\\%c%0*X",
                             digits == 2   ? 'x'
                             : digits == 4 ? 'u'
                                           : 'U',
                             digits, letter));
}

/* `indent` is for the lines behind the first one. */
static void put_text(struct yaml *y, struct span text, size_t indent, bool key)
{
    enum style style = style_of(y, text);

    if (style == DOUBLE) {
        size_t len;

        put_word(y, "\"");
        for (struct span rest = text; rest.len; rest = span_from(rest, len)) {
            uint32_t letter = utf8_letter(rest, &len);

            if (folds(y, text, rest, key)) {
                start_line(y, indent);
                put_word(y, rest.at[1] == ' ' ? "\\" : "");
            } else if (!is_printable(letter) || span_has(SPAN_LIT("\n\"\\"), *rest.at)) {
                put_escape(y, letter);
            } else {
                put(y, (struct span){rest.at, len});
            }
        }
        put_word(y, "\"");
    } else
        put_quoted(y, text, style, indent, key);
}

/* --- lists and objects ------------------------------------------------------------------------ */

/* Where a value is written. */
enum place {
    AT_TOP,
    BEHIND_DASH, /* or behind the ':' of a key with a '?': a collection begins on the same line */
    BEHIND_KEY,
};

static void put_node(struct yaml *y, const wire_node *node, size_t indent, enum place place);

static int by_name(const void *a, const void *b)
{
    return span_compare(wire_name(*(const wire_node *const *)a),
                        wire_name(*(const wire_node *const *)b));
}

static void put_member(struct yaml *y, const wire_node *member, size_t indent)
{
    struct span name = wire_name(member);
    bool simple = name.len <= KEY_MOST && !has_break(name);

    put_word(y, simple ? "" : "? ");
    put_text(y, name, indent + INDENT, simple);
    if (!simple)
        start_line(y, indent);
    put_word(y, ":");
    put_node(y, member, indent, simple ? BEHIND_KEY : BEHIND_DASH);
}

/* Members are in the order of their names. */
static void put_object(struct yaml *y, const wire_node *object, size_t indent, bool same_line)
{
    const wire_node **members = arena_array(y->out->arena, wire_count(object), sizeof(wire_node *));
    size_t count = 0;

    for (const wire_node *n = wire_first(object); n; n = wire_next(n))
        members[count++] = n;
    qsort(members, count, sizeof(wire_node *), by_name);
    for (size_t i = 0; i < count; i++) {
        if (i || !same_line)
            start_line(y, indent);
        put_member(y, members[i], indent);
    }
}

static void put_list(struct yaml *y, const wire_node *list, size_t indent, bool same_line)
{
    for (const wire_node *n = wire_first(list); n; n = wire_next(n)) {
        if (n != wire_first(list) || !same_line)
            start_line(y, indent);
        put_word(y, "-");
        put_node(y, n, indent, BEHIND_DASH);
    }
}

/* `indent` is the indent of the collection that has the node. */
static void put_node(struct yaml *y, const wire_node *node, size_t indent, enum place place)
{
    enum json_kind kind = json_kind(node);
    bool collection = (kind == JSON_OBJECT || kind == JSON_ARRAY) && wire_count(node);
    bool deeper = place == BEHIND_DASH || (place == BEHIND_KEY && kind == JSON_OBJECT);

    if (place == BEHIND_DASH || (place == BEHIND_KEY && !collection))
        put_word(y, " ");
    if (collection)
        (kind == JSON_OBJECT ? put_object : put_list)(y, node, indent + (deeper ? INDENT : 0),
                                                      place != BEHIND_KEY);
    else if (kind == JSON_STRING)
        put_text(y, wire_text(node), indent + INDENT, false);
    else if (kind == JSON_OBJECT || kind == JSON_ARRAY)
        put_word(y, kind == JSON_OBJECT ? "{}" : "[]");
    else
        json_write_scalar(y->out, node);
}

void awscli_yaml_add(struct buf *out, const wire_node *node)
{
    enum json_kind kind = json_kind(node);
    struct yaml y = {.out = out};

    if (kind != JSON_OBJECT && kind != JSON_ARRAY) {
        json_write_scalar(out, node);
    } else {
        process_need(!regcomp(&y.other_types, other_types, REG_EXTENDED | REG_NOSUB));
        put_node(&y, node, 0, AT_TOP);
        regfree(&y.other_types);
    }
    buf_add_char(out, '\n');
}
