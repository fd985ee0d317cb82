#include "ops/transfer/ion_text.h"

#include "base/ascii.h"
#include "base/attributes.h"
#include "ops/transfer/transfer_frame.h"
#include "wire/wire_cursor.h"

#define DEPTH_MAX 64 /* of structs and lists: more than an item may have */
#define OPEN_MAX \
    128 /* brackets in a record that is read by lines: more than an item with changes */
#define LOOK_AHEAD 8 /* the longest thing that is known by its beginning: $ion_1_0 */

static const struct span version = SPAN_LIT_INIT("$ion_1_0");

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool begins_symbol(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

static bool continues_symbol(char c)
{
    return begins_symbol(c) || (c >= '0' && c <= '9');
}

/* --- where a record ends ---------------------------------------------------------------------- */

enum { BEFORE, INSIDE, STRING, SYMBOL, LONG_STRING, BLOB, LINE_COMMENT, BLOCK_COMMENT };

/* What each of these ends with. */
static const struct span ends[] = {
    [STRING] = SPAN_LIT_INIT("\""),       [SYMBOL] = SPAN_LIT_INIT("'"),
    [LONG_STRING] = SPAN_LIT_INIT("'''"), [BLOB] = SPAN_LIT_INIT("}}"),
    [LINE_COMMENT] = SPAN_LIT_INIT("\n"), [BLOCK_COMMENT] = SPAN_LIT_INIT("*/"),
};

/* What begins with what; the longer ones come first. */
static const struct {
    const char *text;
    int state;
} beginnings[] = {
    {"'''", LONG_STRING},  {"{{", BLOB},   {"//", LINE_COMMENT},
    {"/*", BLOCK_COMMENT}, {"\"", STRING}, {"'", SYMBOL},
};

static bool has_escapes(int state)
{
    return state == STRING || state == SYMBOL || state == LONG_STRING;
}

/* Within something that has an end of its own. False where a string goes on behind its line. */
static bool step_through(struct transfer_frame *f, struct span rest)
{
    char c = rest.at[0];

    if (span_starts_with(rest, ends[f->state])) {
        f->at += ends[f->state].len;
        f->state = f->depth ? INSIDE : BEFORE;
        return true;
    }
    if ((f->state == STRING || f->state == SYMBOL) && c == '\n')
        return false;
    f->at += has_escapes(f->state) && c == '\\' && rest.len > 1 ? 2 : 1;
    return true;
}

static bool enter(struct transfer_frame *f, struct span rest)
{
    for (size_t i = 0; i < COUNT(beginnings); i++)
        if (span_starts_with(rest, span_of(beginnings[i].text))) {
            f->state = beginnings[i].state;
            f->at += strlen(beginnings[i].text);
            return true;
        }
    return false;
}

static bool is_comment(int state)
{
    return state == LINE_COMMENT || state == BLOCK_COMMENT;
}

/* A list's bracket or comma. Ion allows a comma behind the last element. */
static bool step_list(struct transfer_frame *f, char c)
{
    if (f->list == TRANSFER_FRAME_NEXT && c == ']')
        f->list = TRANSFER_FRAME_NO_LIST;
    else if (!transfer_frame_step(&f->list, c))
        return false;
    f->at++;
    return true;
}

/* Before a record: blanks, comments, the version, lists' brackets and commas. False where something
 * else stands. */
static bool step_before(struct transfer_frame *f, struct span rest)
{
    struct transfer_frame entered = *f;

    if (is_blank(rest.at[0])) {
        f->at++;
    } else if (!f->list && span_starts_with(rest, version)) {
        f->at += version.len;
    } else if (enter(&entered, rest)) {
        if (!is_comment(entered.state))
            return false;
        entered.begin = f->at;
        *f = entered;
    } else if (step_list(f, rest.at[0])) {
        return true;
    } else if (rest.at[0] == '{' && f->list != TRANSFER_FRAME_BEHIND) {
        f->begin = f->at++;
        f->depth = 1;
        f->state = INSIDE;
    } else {
        return false;
    }
    return true;
}

/* Whether another record begins on a line within one, which lacks its end. */
static bool begins_next(const struct transfer_frame *f, struct span text)
{
    return f->depth > OPEN_MAX || (text.at[f->at - 1] == '\n' && text.at[f->at] == '$' &&
                                   span_starts_with(span_from(text, f->at), version));
}

/* In a record, outside of its strings: true where it ends. */
static bool step_inside(struct transfer_frame *f, struct span rest)
{
    char c = rest.at[0];

    if (enter(f, rest))
        return false;
    f->at++;
    if (c == '{' || c == '[' || c == '(')
        f->depth++;
    else if (c == '}' || c == ']' || c == ')')
        f->depth--;
    else
        f->blanks += is_blank(c);
    return f->depth == 0;
}

enum transfer_framing ion_text_frame(struct transfer_frame *f,
                                     const struct transfer_options *options, struct span text,
                                     bool last)
{
    while (f->at < text.len && (last || text.len - f->at >= LOOK_AHEAD)) {
        struct span rest = span_from(text, f->at);

        if (f->state == BEFORE) {
            if (!step_before(f, rest))
                return transfer_frame_wrong(f, f->list == TRANSFER_FRAME_BEHIND
                                                   ? TRANSFER_FRAME_NO_COMMA
                                                   : "an Ion struct begins with {");
        } else if (f->state == INSIDE) {
            if (options->by_lines && begins_next(f, text))
                return transfer_frame_unclosed(f);
            if (step_inside(f, rest)) {
                f->list = f->list ? TRANSFER_FRAME_BEHIND : TRANSFER_FRAME_NO_LIST;
                return TRANSFER_FRAME_WHOLE;
            }
        } else if (!step_through(f, rest)) {
            return transfer_frame_wrong(f, "a string ends on its line");
        }
    }
    if (last && f->state == LINE_COMMENT && !f->depth) /* the end of the text ends it, too */
        f->state = BEFORE;
    if (last && f->state == BEFORE && f->list)
        return transfer_frame_wrong(f, TRANSFER_FRAME_OPEN);
    return TRANSFER_FRAME_MORE;
}

/* --- reading ---------------------------------------------------------------------------------- */

struct ion {
    struct arena *arena;
    const char *at, *end;
    struct buf *out;
    struct transfer_problem *problem;
    size_t depth;
};

static bool fail(struct ion *i, const char *text)
{
    *i->problem = (struct transfer_problem){.text = text, .at = i->at, .of_item = false};
    return false;
}

/* It is Ion, but nothing that an item can hold. */
static bool fail_item(struct ion *i, const char *text)
{
    fail(i, text);
    i->problem->of_item = true;
    return false;
}

static struct span rest_of(const struct ion *i)
{
    return (struct span){i->at, (size_t)(i->end - i->at)};
}

static bool is_next(const struct ion *i, const char *text)
{
    return span_starts_with(rest_of(i), span_of(text));
}

static bool take(struct ion *i, const char *text)
{
    if (!is_next(i, text))
        return false;
    i->at += strlen(text);
    return true;
}

static void skip_to(struct ion *i, const char *text)
{
    while (i->at < i->end && !take(i, text))
        i->at++;
}

static void skip_blanks(struct ion *i)
{
    for (;;) {
        if (i->at < i->end && is_blank(*i->at))
            i->at++;
        else if (is_next(i, "//"))
            skip_to(i, "\n");
        else if (take(i, "/*"))
            skip_to(i, "*/");
        else
            return;
    }
}

/* --- strings ---------------------------------------------------------------------------------- */

static void put_utf8(struct buf *out, uint32_t code)
{
    if (code < 0x80) {
        buf_add_char(out, (char)code);
        return;
    }
    if (code < 0x800) {
        buf_add_char(out, (char)(0xC0 | code >> 6));
    } else {
        if (code < 0x10000) {
            buf_add_char(out, (char)(0xE0 | code >> 12));
        } else {
            buf_add_char(out, (char)(0xF0 | code >> 18));
            buf_add_char(out, (char)(0x80 | (code >> 12 & 0x3F)));
        }
        buf_add_char(out, (char)(0x80 | (code >> 6 & 0x3F)));
    }
    buf_add_char(out, (char)(0x80 | (code & 0x3F)));
}

static bool read_hex(struct ion *i, int digits, uint32_t *code)
{
    for (*code = 0; digits; digits--, i->at++) {
        int digit = i->at < i->end ? ascii_hex(*i->at) : -1;

        if (digit < 0)
            return fail(i, "an escape has too few hexadecimal digits");
        *code = *code << 4 | (uint32_t)digit;
    }
    return true;
}

static bool is_high(uint32_t code)
{
    return code >= 0xD800 && code < 0xDC00;
}

/* A character beyond 16 bits may be written as two halves. */
static bool read_code(struct ion *i, int digits, struct buf *text)
{
    uint32_t code, low;

    if (!read_hex(i, digits, &code))
        return false;
    if (is_high(code) && take(i, "\\u")) {
        if (!read_hex(i, 4, &low))
            return false;
        if (low < 0xDC00 || low > 0xDFFF)
            return fail(i, "this is no character");
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
        return fail(i, "this is no character");
    put_utf8(text, code);
    return true;
}

/* Behind a backslash. */
static bool read_escape(struct ion *i, struct buf *text)
{
    static const char letters[] = "0abtnfrv\"'?\\/", means[] = "\0\a\b\t\n\f\r\v\"'?\\/";
    const char *found;
    char c;

    if (i->at == i->end)
        return fail(i, "a string does not end");
    c = *i->at++;
    if (c == 'x' || c == 'u' || c == 'U')
        return read_code(i, c == 'x' ? 2 : c == 'u' ? 4 : 8, text);
    if (c == '\r')
        take(i, "\n");
    if (c == '\n' || c == '\r') /* the line goes on */
        return true;
    if (!(found = c ? strchr(letters, c) : NULL))
        return fail(i, "there is no such escape");
    buf_add_char(text, means[found - letters]);
    return true;
}

/* Up to what ends it; its beginning was taken. */
static bool read_until(struct ion *i, const char *ending, struct buf *text)
{
    while (i->at < i->end) {
        if (take(i, ending))
            return true;
        if (take(i, "\\")) {
            if (!read_escape(i, text))
                return false;
        } else {
            buf_add_char(text, *i->at++);
        }
    }
    return fail(i, "a string does not end");
}

/* Long strings one behind another are one. */
static bool read_long_string(struct ion *i, struct buf *text)
{
    do {
        if (!read_until(i, "'''", text))
            return false;
        skip_blanks(i);
    } while (take(i, "'''"));
    return true;
}

/* As a string of JSON; its beginning was taken. */
static bool put_text(struct ion *i, bool is_long)
{
    struct buf text = buf_in(i->arena);

    if (!(is_long ? read_long_string(i, &text) : read_until(i, "\"", &text)))
        return false;
    buf_add_json_string(i->out, buf_span(&text));
    return true;
}

static bool put_string(struct ion *i, bool is_long)
{
    buf_add_text(i->out, "{\"S\":");
    if (!put_text(i, is_long))
        return false;
    buf_add_char(i->out, '}');
    return true;
}

/* --- scalars ---------------------------------------------------------------------------------- */

static struct span take_symbol(struct ion *i)
{
    const char *begin = i->at;

    while (i->at < i->end && continues_symbol(*i->at))
        i->at++;
    return (struct span){begin, (size_t)(i->at - begin)};
}

/* 2024-01-01, 2024T */
static bool begins_timestamp(const struct ion *i)
{
    int digits = 0;

    while (digits < 4 && i->at + digits < i->end && i->at[digits] >= '0' && i->at[digits] <= '9')
        digits++;
    return digits == 4 && i->at + digits < i->end && (i->at[digits] == '-' || i->at[digits] == 'T');
}

static bool put_number(struct ion *i)
{
    if (begins_timestamp(i))
        return fail_item(i, "a timestamp is no value here");
    buf_add_text(i->out, "{\"N\":\"");
    for (; i->at < i->end && (continues_symbol(*i->at) || span_has(SPAN_LIT("+-.:"), *i->at));
         i->at++)
        if (*i->at == 'd' || *i->at == 'D')
            buf_add_char(i->out, 'E');
        else if (*i->at != '_')
            buf_add_char(i->out, *i->at);
    buf_add_text(i->out, "\"}");
    return true;
}

static bool put_blob(struct ion *i)
{
    buf_add_text(i->out, "{\"B\":\"");
    for (; i->at < i->end && !take(i, "}}"); i->at++) {
        if (*i->at == '"' || *i->at == '\'')
            return fail_item(i, "a clob is no value here");
        if (*i->at == '\\')
            return fail(i, "this is not base64");
        if (!is_blank(*i->at))
            buf_add_char(i->out, *i->at);
    }
    buf_add_text(i->out, "\"}");
    return true;
}

static bool put_word(struct ion *i, struct span word)
{
    if (span_is(word, "null")) {
        if (take(i, "."))
            take_symbol(i);
        buf_add_text(i->out, "{\"NULL\":true}");
        return true;
    }
    if (!span_is(word, "true") && !span_is(word, "false"))
        return fail_item(i, "a symbol is no value here");
    buf_add_text(i->out, "{\"BOOL\":");
    buf_add_span(i->out, word);
    buf_add_char(i->out, '}');
    return true;
}

/* --- containers ------------------------------------------------------------------------------- */

static bool put_value(struct ion *i);

/* After an element or member: whether another may come. */
static bool goes_on(struct ion *i, const char *ending, bool *more)
{
    skip_blanks(i);
    *more = take(i, ",");
    skip_blanks(i);
    if (take(i, ending)) {
        *more = false;
        return true;
    }
    return *more || fail(i, "a comma is missing");
}

static bool put_list(struct ion *i)
{
    bool more;

    buf_add_text(i->out, "{\"L\":[");
    skip_blanks(i);
    for (more = !take(i, "]"); more;) {
        if (!put_value(i) || !goes_on(i, "]", &more))
            return false;
        if (more)
            buf_add_char(i->out, ',');
    }
    buf_add_text(i->out, "]}");
    return true;
}

/* A member of a set, without its type. */
static bool put_set_member(struct ion *i, enum attr_type type)
{
    struct buf value = buf_in(i->arena), *out = i->out;
    const char *begin = i->at;
    struct span text;
    bool good;

    i->out = &value;
    good = put_value(i);
    i->out = out;
    if (!good)
        return false;
    text = buf_span(&value); /* {"S":"a"} */
    if (text.at[2] != *attr_type_code(type) || text.at[3] != '"' || text.at[5] != '"') {
        i->at = begin;
        return fail_item(i, "a member of a set is of another type");
    }
    buf_add(out, text.at + 5, text.len - 6);
    return true;
}

static bool put_set(struct ion *i, enum attr_type type)
{
    bool more;

    skip_blanks(i);
    if (!take(i, "["))
        return fail_item(i, "a set is a list");
    buf_printf(i->out, "{\"%s\":[", attr_type_code(type));
    skip_blanks(i);
    for (more = !take(i, "]"); more;) {
        skip_blanks(i);
        if (!put_set_member(i, attr_element_type(type)) || !goes_on(i, "]", &more))
            return false;
        if (more)
            buf_add_char(i->out, ',');
    }
    buf_add_text(i->out, "]}");
    return true;
}

/* A member's name and the colon behind it. */
static bool read_name(struct ion *i, struct buf *name)
{
    skip_blanks(i);
    if (take(i, "'''")) {
        if (!read_long_string(i, name))
            return false;
    } else if (is_next(i, "\"") || is_next(i, "'")) {
        const char ending[] = {*i->at++, '\0'};

        if (!read_until(i, ending, name))
            return false;
    } else if (i->at < i->end && begins_symbol(*i->at)) {
        buf_add_span(name, take_symbol(i));
    } else {
        return fail(i, "a name is missing");
    }
    skip_blanks(i);
    return take(i, ":") || fail(i, "a colon is missing");
}

/* {name: value, …}, whose brace was taken, as a JSON object of what `put` makes of the values. */
static bool put_members(struct ion *i, bool (*put)(struct ion *i))
{
    const char *before = "{";
    bool more;

    skip_blanks(i);
    for (more = !take(i, "}"); more; before = ",") {
        struct buf name = buf_in(i->arena);

        if (!read_name(i, &name))
            return false;
        buf_add_text(i->out, before);
        buf_add_json_string(i->out, buf_span(&name));
        buf_add_char(i->out, ':');
        if (!put(i) || !goes_on(i, "}", &more))
            return false;
    }
    buf_add_text(i->out, *before == ',' ? "}" : "{}");
    return true;
}

static bool put_struct(struct ion *i)
{
    buf_add_text(i->out, "{\"M\":");
    if (!put_members(i, put_value))
        return false;
    buf_add_char(i->out, '}');
    return true;
}

/* An annotation's name was taken, and the colons. */
static bool put_annotated(struct ion *i, struct span annotation)
{
    static const struct span prefix = SPAN_LIT_INIT("$dynamodb_");
    enum attr_type type;

    if (span_starts_with(annotation, prefix) &&
        attr_type_of_code(span_from(annotation, prefix.len), &type) && attr_is_set(type))
        return put_set(i, type);
    return fail_item(i, "there is no such annotation here");
}

static bool takes_colons(struct ion *i)
{
    const char *begin = i->at;

    skip_blanks(i);
    if (take(i, "::"))
        return true;
    i->at = begin;
    return false;
}

static bool put_named(struct ion *i)
{
    struct buf quoted = buf_in(i->arena);
    struct span word;

    if (!take(i, "'")) {
        word = take_symbol(i);
        return takes_colons(i) ? put_annotated(i, word) : put_word(i, word);
    }
    if (!read_until(i, "'", &quoted))
        return false;
    return takes_colons(i) ? put_annotated(i, buf_span(&quoted))
                           : fail_item(i, "a symbol is no value here");
}

static bool put_by_beginning(struct ion *i)
{
    if (i->at == i->end)
        return fail(i, "a value is missing");
    if (take(i, "'''"))
        return put_string(i, true);
    if (take(i, "\""))
        return put_string(i, false);
    if (take(i, "{{"))
        return put_blob(i);
    if (take(i, "{"))
        return put_struct(i);
    if (take(i, "["))
        return put_list(i);
    if (begins_symbol(*i->at) || *i->at == '\'')
        return put_named(i);
    if ((*i->at >= '0' && *i->at <= '9') || *i->at == '-' || *i->at == '+')
        return put_number(i);
    if (*i->at == '(')
        return fail_item(i, "an S-expression is no value here");
    return fail(i, "a value is missing");
}

static bool put_value(struct ion *i)
{
    bool good;

    skip_blanks(i);
    if (i->depth == DEPTH_MAX)
        return fail_item(i, "it is nested too deeply");
    i->depth++;
    good = put_by_beginning(i);
    i->depth--;
    return good;
}

/* --- records ---------------------------------------------------------------------------------- */

/* A text alone, not a typed value. */
static bool put_plain(struct ion *i)
{
    skip_blanks(i);
    if (take(i, "'''"))
        return put_text(i, true);
    return take(i, "\"") ? put_text(i, false) : fail_item(i, "a string is missing");
}

/* What a record has: the item and, in a bulk put, its condition, as PutItem's request has it. */
static const struct part {
    const char *name;
    bool (*put)(struct ion *i); /* each value of a struct; or of a text, it */
    bool is_text;
} parts[] = {
    {"Item", put_value, false},
    {"ConditionExpression", put_plain, true},
    {"ExpressionAttributeNames", put_plain, false},
    {"ExpressionAttributeValues", put_value, false},
};

#define PART_ITEM 0

static bool put_part(struct ion *i, const struct part *part)
{
    buf_printf(i->out, "\"%s\":", part->name);
    if (part->is_text)
        return part->put(i);
    skip_blanks(i);
    if (is_next(i, "{{") || !take(i, "{"))
        return fail_item(i, arena_printf(i->arena, "%s is a struct", part->name));
    return put_members(i, part->put);
}

/* Which of the first `known` parts begins here; none that was seen before. */
static bool read_part(struct ion *i, size_t known, bool *seen, size_t *out)
{
    struct buf name = buf_in(i->arena);
    const char *begin = i->at;
    size_t n = 0;

    if (!read_name(i, &name))
        return false;
    while (n < known && !span_is(buf_span(&name), parts[n].name))
        n++;
    if (n == known || seen[n]) {
        i->at = begin;
        return fail_item(i, known == 1 ? "a record has nothing but Item"
                                       : "a record has nothing but Item and its condition");
    }
    seen[n] = true;
    *out = n;
    return true;
}

static bool put_record(struct ion *i, size_t known)
{
    bool seen[COUNT(parts)] = {false}, more;
    const char *before = "{";
    size_t n;

    skip_blanks(i);
    for (more = !take(i, "}"); more; before = ",") {
        if (!read_part(i, known, seen, &n))
            return false;
        buf_add_text(i->out, before);
        if (!put_part(i, &parts[n]) || !goes_on(i, "}", &more))
            return false;
    }
    buf_add_char(i->out, '}');
    if (seen[PART_ITEM])
        return true;
    i->at--; /* the brace that ends it */
    return fail_item(i, "Item is missing");
}

static bool begin(struct ion *i, struct arena *a, struct span record, struct buf *json,
                  struct transfer_problem *problem)
{
    *i = (struct ion){
        .arena = a,
        .at = record.at,
        .end = span_end(record),
        .out = json,
        .problem = problem,
    };
    return take(i, "{") || fail(i, "an Ion struct begins with {");
}

bool ion_text_read_struct(struct arena *a, struct span record, struct buf *json,
                          struct transfer_problem *problem)
{
    struct ion i;

    return begin(&i, a, record, json, problem) && put_members(&i, put_value);
}

bool ion_text_read(struct arena *a, const struct transfer_options *options, struct span record,
                   struct buf *json, struct transfer_problem *problem)
{
    struct ion i;

    return begin(&i, a, record, json, problem) &&
           put_record(&i, options->has_conditions ? COUNT(parts) : PART_ITEM + 1);
}
