#include "awscli/awscli_shorthand.h"

#include "awscli/awscli_usage.h"

#include <ctype.h>

#include "base/ascii.h"
#include "base/one_more.h"
#include "base/utf8.h"

#define DEPTH_LIMIT 64

/* A value as it was written; the shape decides how it is converted. */
struct value {
    enum kind { TEXT, LIST, OBJECT } kind;
    struct span text;   /* TEXT */
    bool bytes;         /* TEXT: base64 of a file's bytes */
    struct value *at;   /* LIST, OBJECT */
    struct span *names; /* OBJECT */
    size_t len;
};

struct shorthand_parser {
    struct arena *arena;
    const char *option;
    struct span text;
    enum awscli_files files;
    size_t at, depth;

    bool loads; /* after @=: a value may name a file */
    /* The first error; the functions below return false then. */
    const char *expected, *received;
    const char *duplicate;
    const char *unread; /* the error in reading a file */
};

/* --- characters ------------------------------------------------------------------------------- */

#define END (-1)

static int current_char(const struct shorthand_parser *p)
{
    return p->at < p->text.len ? (unsigned char)p->text.at[p->at] : END;
}

static bool is_blank(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static void skip_blanks(struct shorthand_parser *p)
{
    while (is_blank(current_char(p)))
        p->at++;
}

/* The first character of an unquoted value, and the following ones: where a list is possible, and
 * inside a list. */
static bool begins_value(int c)
{
    return c > ' ' && !ascii_is_one_of((char)c, "\"',=[{");
}

static bool goes_on_first(int c)
{
    return is_blank(c) || (c > ' ' && !ascii_is_one_of((char)c, "\"',]}"));
}

static bool goes_on_second(int c)
{
    return is_blank(c) || (c > ' ' && !ascii_is_one_of((char)c, "\"',="));
}

static bool fail_expecting(struct shorthand_parser *p, const char *expected, const char *received)
{
    p->expected = expected;
    p->received = received;
    return false;
}

static bool expect_char(struct shorthand_parser *p, char c, bool blanks)
{
    char want[2] = {c, '\0'};
    struct span have;

    if (blanks)
        skip_blanks(p);
    if (current_char(p) != (unsigned char)c) {
        have = span_from(p->text, p->at);
        if (have.len)
            (void)utf8_letter(have, &have.len);
        return fail_expecting(p, arena_text(p->arena, span_of(want)),
                              have.len ? arena_text(p->arena, have) : "EOF");
    }
    p->at++;
    if (blanks)
        skip_blanks(p);
    return true;
}

/* --- values ----------------------------------------------------------------------------------- */

static bool read_explicit(struct shorthand_parser *p, struct value *out);

/* Takes an unquoted value: \, is a comma; blanks at the end are removed. It may be empty. */
static struct span take_bare(struct shorthand_parser *p, bool (*goes_on)(int c))
{
    struct buf out = buf_in(p->arena);
    bool (*fits)(int c) = begins_value;

    for (;; fits = goes_on) {
        int c = current_char(p);

        if (c == '\\' && p->at + 1 < p->text.len && p->text.at[p->at + 1] == ',') {
            buf_add_char(&out, ',');
            p->at += 2;
        } else if (c != END && fits(c)) {
            buf_add_char(&out, (char)c);
            p->at++;
        } else {
            break;
        }
    }
    while (out.len && is_blank((unsigned char)out.at[out.len - 1]))
        out.len--;
    return buf_span(&out);
}

static bool read_quoted(struct shorthand_parser *p, struct value *out)
{
    char quote = (char)current_char(p);
    struct buf text = buf_in(p->arena);

    for (size_t i = p->at + 1; i < p->text.len; i++) {
        char c = p->text.at[i];

        if (c == quote) {
            p->at = i + 1;
            out->text = buf_span(&text);
            return true;
        }
        if (c == '\\' && i + 1 < p->text.len &&
            (p->text.at[i + 1] == quote || p->text.at[i + 1] == '\\'))
            c = p->text.at[++i];
        buf_add_char(&text, c);
    }
    return fail_expecting(p, quote == '"' ? "<double quoted>" : "<singled quoted>", "<none>");
}

/* Replaces the value by the contents of the file that it names, if @= was used. */
static bool load_file(struct shorthand_parser *p, struct value *v)
{
    const char *content;

    if (!p->loads)
        return true;
    p->unread = awscli_file_load(p->arena, p->files, arena_text(p->arena, v->text), &content,
                                 &v->bytes);
    if (!p->unread)
        v->text = span_of(content);
    return !p->unread;
}

static bool read_first(struct shorthand_parser *p, struct value *out)
{
    *out = (struct value){.kind = TEXT};
    if (current_char(p) == '\'' || current_char(p) == '"')
        return read_quoted(p, out) && load_file(p, out);
    out->text = take_bare(p, goes_on_first);
    return load_file(p, out);
}

static bool read_second(struct shorthand_parser *p, struct value *out)
{
    size_t start = p->at;

    *out = (struct value){.kind = TEXT};
    if (current_char(p) == '\'' || current_char(p) == '"')
        return read_quoted(p, out) && load_file(p, out);
    out->text = take_bare(p, goes_on_second);
    return p->at > start ? load_file(p, out) : fail_expecting(p, "<second>", "<none>");
}

static void append_value(struct shorthand_parser *p, struct value *list, struct span name,
                         const struct value *item)
{
    list->at = one_more(p->arena, list->at, list->len, sizeof *item);
    list->names = one_more(p->arena, list->names, list->len, sizeof name);
    list->at[list->len] = *item;
    list->names[list->len++] = name;
}

static const struct span no_name = {NULL, 0};

static bool read_list(struct shorthand_parser *p, struct value *out)
{
    struct value item;

    *out = (struct value){.kind = LIST};
    if (!expect_char(p, '[', true))
        return false;
    while (current_char(p) != ']') {
        if (!read_explicit(p, &item))
            return false;
        append_value(p, out, no_name, &item);
        skip_blanks(p);
        if (current_char(p) != ']' && !expect_char(p, ',', true))
            return false;
    }
    return expect_char(p, ']', false);
}

static struct span read_key(struct shorthand_parser *p)
{
    size_t start = p->at;

    while (current_char(p) != END &&
           (isalnum(current_char(p)) || ascii_is_one_of((char)current_char(p), "-_.#/:")))
        p->at++;
    return (struct span){p->text.at + start, p->at - start};
}

/* Takes the "=" of a member, or "@=". */
static bool expect_equals(struct shorthand_parser *p)
{
    skip_blanks(p);
    p->loads = current_char(p) == '@';
    p->at += p->loads;
    return expect_char(p, '=', true);
}

static bool read_object(struct shorthand_parser *p, struct value *out)
{
    struct value item;

    *out = (struct value){.kind = OBJECT};
    if (!expect_char(p, '{', true))
        return false;
    while (current_char(p) != '}') {
        struct span name = read_key(p);

        if (!expect_equals(p) || !read_explicit(p, &item))
            return false;
        append_value(p, out, name, &item);
        skip_blanks(p);
        if (current_char(p) != '}' && !expect_char(p, ',', true))
            return false;
    }
    return expect_char(p, '}', false);
}

static bool read_explicit(struct shorthand_parser *p, struct value *out)
{
    bool ok;

    if (++p->depth > DEPTH_LIMIT)
        return fail_expecting(p, "less depth", "more");
    ok = current_char(p) == '['   ? read_list(p, out)
         : current_char(p) == '{' ? read_object(p, out)
                                  : read_first(p, out);
    p->depth--;
    return ok;
}

/* Reads a, or a,b,c up to the next name: then the list ends at the comma before the name. */
static bool read_csv(struct shorthand_parser *p, struct value *out)
{
    struct value first, item;

    if (!read_first(p, &first))
        return false;
    *out = first;
    skip_blanks(p);
    if (current_char(p) != ',')
        return true;
    (void)expect_char(p, ',', true);
    *out = (struct value){.kind = LIST};
    append_value(p, out, no_name, &first);
    for (;;) {
        bool ok = read_second(p, &item);

        if (ok) {
            skip_blanks(p);
            if (current_char(p) == END) {
                append_value(p, out, no_name, &item);
                break;
            }
            ok = expect_char(p, ',', true);
        }
        if (!ok) {
            if (current_char(p) == END || p->unread)
                return false;
            p->expected = NULL;
            while (p->text.at[p->at] != ',')
                p->at--;
            break;
        }
        append_value(p, out, no_name, &item);
    }
    if (out->len == 1)
        *out = first;
    return true;
}

static bool read_values(struct shorthand_parser *p, struct value *out)
{
    if (current_char(p) == '[' || current_char(p) == '{')
        return read_explicit(p, out);
    return read_csv(p, out);
}

static struct span name_at(const void *names, size_t i)
{
    return ((const struct span *)names)[i];
}

static bool read_parameter(struct shorthand_parser *p, struct value *out)
{
    size_t last = 0, most = 0; /* each name has a = */
    struct siphash_table seen;

    for (size_t i = 0; i < p->text.len; i++)
        most += p->text.at[i] == '=';
    seen = siphash_table_new(p->arena, siphash_own_key(), most);
    *out = (struct value){.kind = OBJECT};
    do {
        struct span name;
        struct value item;
        uint32_t *slot;

        if (out->len && !expect_char(p, ',', true))
            return false;
        name = read_key(p);
        if (!expect_equals(p) || !read_values(p, &item))
            return false;
        slot = siphash_table_slot(&seen, name, name_at, out->names);
        if (*slot) {
            p->duplicate = arena_text(p->arena, name);
            p->at = last + 1;
            return false;
        }
        append_value(p, out, name, &item);
        *slot = (uint32_t)out->len;
        last = p->at;
    } while (current_char(p) != END);
    return true;
}

/* --- as JSON ---------------------------------------------------------------------------------- */

bool awscli_shorthand_integer(struct buf *out, struct span text)
{
    size_t start = 0, end = text.len;

    while (start < end && is_blank((unsigned char)text.at[start]))
        start++;
    while (end > start && is_blank((unsigned char)text.at[end - 1]))
        end--;
    if (start < end && (text.at[start] == '+' || text.at[start] == '-')) {
        if (text.at[start] == '-')
            buf_add_char(out, '-');
        start++;
    }
    while (start + 1 < end && text.at[start] == '0')
        start++;
    for (size_t i = start; i < end; i++)
        if (!isdigit((unsigned char)text.at[i]))
            return false;
    buf_add(out, text.at + start, end - start);
    return start < end;
}

static bool is_word(struct span text, const char *word)
{
    for (size_t i = 0; i < text.len; i++)
        if (tolower((unsigned char)text.at[i]) != word[i])
            return false;
    return !word[text.len];
}

static const struct problem *add_text(struct buf *out, const struct wire_shape *shape,
                                      const struct value *v)
{
    enum wire_type type = shape ? shape->type : WIRE_STRING;
    struct span text = v->text;

    if (v->bytes && type != WIRE_BLOB)
        return problem_invalid(out->arena, AWSCLI_FILE_NO_BYTES);
    if (type == WIRE_INTEGER || type == WIRE_LONG) {
        if (!awscli_shorthand_integer(out, text))
            return problem_new(out->arena, PROBLEM_FAILED,
                               "invalid literal for int() with base 10: '%.*s'", SPAN_ARG(text));
    } else if (type == WIRE_BOOLEAN && (is_word(text, "true") || is_word(text, "false"))) {
        buf_add_text(out, is_word(text, "true") ? "true" : "false");
    } else {
        buf_add_json_string(out, text);
    }
    return NULL;
}

static const struct wire_shape *shape_of(const struct wire_shape *shape, struct span name)
{
    const struct wire_member *m;

    if (!shape || shape->type == WIRE_MAP)
        return shape ? shape->element : NULL;
    m = awscli_shape_member(awscli_shape_members(shape), name);
    return m ? m->shape : NULL;
}

/* shape NULL: a part unknown to the operation; the check of the whole request reports it. */
static const struct problem *add_value(struct buf *out, const struct wire_shape *shape,
                                       const struct value *v)
{
    bool single = shape && shape->type == WIRE_LIST && v->kind != LIST; /* a means [a] */
    const struct wire_shape *element = shape && shape->type == WIRE_LIST ? shape->element : NULL;
    const struct problem *r = NULL;

    if (single) {
        buf_add_char(out, '[');
        if ((r = add_value(out, element, v)))
            return r;
        buf_add_char(out, ']');
        return NULL;
    }
    if (v->kind == TEXT)
        return add_text(out, shape, v);
    buf_add_char(out, v->kind == LIST ? '[' : '{');
    for (size_t i = 0; i < v->len && !r; i++) {
        buf_add_text(out, i ? ", " : "");
        if (v->kind == OBJECT) {
            buf_add_json_string(out, v->names[i]);
            buf_add_text(out, ": ");
        }
        r = add_value(out, v->kind == LIST ? element : shape_of(shape, v->names[i]), &v->at[i]);
    }
    buf_add_char(out, v->kind == LIST ? ']' : '}');
    return r;
}

/* The text up to the end of the current line, a caret under the position, and the rest. */
static const char *error_place(const struct shorthand_parser *p)
{
    size_t line = 0, end = p->at, letters = 0, len;

    for (size_t i = 0; i < p->at && i < p->text.len; i++)
        if (p->text.at[i] == '\n')
            line = i + 1;
    while (end < p->text.len && p->text.at[end] != '\n')
        end++;
    for (; line < p->at && line < p->text.len; line += len, letters++)
        (void)utf8_letter(span_from(p->text, line), &len);
    return arena_printf(p->arena, "%.*s\n%*s^%.*s", (int)end, p->text.at, (int)letters, "",
                        (int)(p->text.len - end), p->text.at + end);
}

const struct problem *awscli_shorthand_add(struct buf *out, enum awscli_files files,
                                           const char *option, const struct wire_shape *shape,
                                           const char *text)
{
    struct shorthand_parser p = {
        .arena = out->arena, .option = option, .text = span_of(text), .files = files};
    struct value v;

    if (read_parameter(&p, &v))
        return add_value(out, shape, &v);
    if (p.unread)
        return problem_new(out->arena, PROBLEM_FAILED, "%s", p.unread);
    if (p.duplicate)
        return awscli_usage_value(out->arena, option,
                                  "Second instance of key \"%s\" encountered for input:\n%s\n"
                                  "This is often because there is a preceding \",\" instead of a "
                                  "space.",
                                  p.duplicate, error_place(&p));
    return awscli_usage_value(out->arena, option, "Expected: '%s', received: '%s' for input:\n%s",
                              p.expected, p.received, error_place(&p));
}
