#include "ops/transfer/ion_text.h"

#include "base/utf8.h"
#include "ops/transfer/transfer_frame.h"

#define DEPTH_MAX  64  /* of structs and lists: more than an item may have */
#define OPEN_MAX   128 /* open brackets in a record by lines: more than any item needs */
#define LOOK_AHEAD 8   /* the longest token that is known by its beginning: $ion_1_0 */

static const struct span version = SPAN_LIT_INIT("$ion_1_0");

static bool continues_symbol(char c)
{
    return ion_text_begins_symbol(c) || ascii_is_digit(c);
}

/* --- finding the end of a record -------------------------------------------------------------- */

enum { BEFORE, INSIDE, STRING, SYMBOL, LONG_STRING, BLOB, LINE_COMMENT, BLOCK_COMMENT };

/* The ending of each state. */
static const struct span ends[] = {
    [STRING] = SPAN_LIT_INIT("\""),       [SYMBOL] = SPAN_LIT_INIT("'"),
    [LONG_STRING] = SPAN_LIT_INIT("'''"), [BLOB] = SPAN_LIT_INIT("}}"),
    [LINE_COMMENT] = SPAN_LIT_INIT("\n"), [BLOCK_COMMENT] = SPAN_LIT_INIT("*/"),
};

/* The beginning of each state; longer ones come first. */
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

/* Takes a step in a string, comment or blob. False if a string does not end on its line. */
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

static bool enter_state(struct transfer_frame *f, struct span rest)
{
    for (size_t i = 0; i < COUNT(beginnings); i++)
        if (span_starts_with(rest, span_of(beginnings[i].text))) {
            f->state = beginnings[i].state;
            f->at += strlen(beginnings[i].text);
            return true;
        }
    return false;
}

/* Takes a list's bracket or comma. Ion allows a comma after the last element. */
static bool step_list(struct transfer_frame *f, char c)
{
    if (f->list == TRANSFER_FRAME_NEXT && c == ']')
        f->list = TRANSFER_FRAME_NO_LIST;
    else if (!transfer_frame_step(&f->list, c))
        return false;
    f->at++;
    return true;
}

/* Takes a step before a record: blanks, comments, the version, brackets and commas of lists. False
 * at anything else. */
static bool step_before(struct transfer_frame *f, struct span rest)
{
    struct transfer_frame entered = *f;

    if (ascii_is_space(rest.at[0])) {
        f->at++;
    } else if (!f->list && span_starts_with(rest, version)) {
        f->at += version.len;
    } else if (enter_state(&entered, rest)) {
        if (entered.state != LINE_COMMENT && entered.state != BLOCK_COMMENT)
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

/* Whether another record begins here, on a line within a record that lacks its end. */
static bool begins_next(const struct transfer_frame *f, struct span text)
{
    return f->depth > OPEN_MAX || (text.at[f->at - 1] == '\n' && text.at[f->at] == '$' &&
                                   span_starts_with(span_from(text, f->at), version));
}

/* Takes a step in a record, outside of its strings; true at its end. */
static bool step_inside(struct transfer_frame *f, struct span rest)
{
    char c = rest.at[0];

    if (enter_state(f, rest))
        return false;
    f->at++;
    if (c == '{' || c == '[' || c == '(')
        f->depth++;
    else if (c == '}' || c == ']' || c == ')')
        f->depth--;
    else
        f->blanks += ascii_is_space(c);
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
                                                   : "an Ion struct must begin with {");
        } else if (f->state == INSIDE) {
            if (options->by_lines && begins_next(f, text))
                return transfer_frame_unclosed(f);
            if (step_inside(f, rest)) {
                f->list = f->list ? TRANSFER_FRAME_BEHIND : TRANSFER_FRAME_NO_LIST;
                return TRANSFER_FRAME_WHOLE;
            }
        } else if (!step_through(f, rest)) {
            return transfer_frame_wrong(f, "a string must end on its line");
        }
    }
    if (last && f->state == LINE_COMMENT && !f->depth) /* the end of the text ends a line comment */
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

static bool fail_text(struct ion *i, const char *text)
{
    *i->problem = (struct transfer_problem){.text = text, .at = i->at, .of_item = false};
    return false;
}

/* For valid Ion that an item cannot hold. */
static bool fail_item(struct ion *i, const char *text)
{
    fail_text(i, text);
    i->problem->of_item = true;
    return false;
}

static bool is_next(const struct ion *i, const char *text)
{
    return span_starts_with((struct span){i->at, (size_t)(i->end - i->at)}, span_of(text));
}

static bool take_text(struct ion *i, const char *text)
{
    if (!is_next(i, text))
        return false;
    i->at += strlen(text);
    return true;
}

static void skip_to(struct ion *i, const char *text)
{
    while (i->at < i->end && !take_text(i, text))
        i->at++;
}

static void skip_blanks(struct ion *i)
{
    for (;;) {
        if (i->at < i->end && ascii_is_space(*i->at))
            i->at++;
        else if (is_next(i, "//"))
            skip_to(i, "\n");
        else if (take_text(i, "/*"))
            skip_to(i, "*/");
        else
            return;
    }
}

/* --- strings ---------------------------------------------------------------------------------- */

static bool read_hex(struct ion *i, int digits, uint32_t *code)
{
    for (*code = 0; digits; digits--, i->at++) {
        int digit = i->at < i->end ? ascii_hex(*i->at) : -1;

        if (digit < 0)
            return fail_text(i, "an escape has too few hexadecimal digits");
        *code = *code << 4 | (uint32_t)digit;
    }
    return true;
}

/* Reads a code; a character beyond 16 bits may be written as two surrogates. */
static bool read_code(struct ion *i, int digits, struct buf *text)
{
    uint32_t code, low;
    char bytes[UTF8_MOST];

    if (!read_hex(i, digits, &code))
        return false;
    if (code >= 0xD800 && code < 0xDC00 && take_text(i, "\\u")) {
        if (!read_hex(i, 4, &low))
            return false;
        if (low < 0xDC00 || low > 0xDFFF)
            return fail_text(i, "this is not a character");
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
        return fail_text(i, "this is not a character");
    buf_add(text, bytes, (size_t)(utf8_put(bytes, code) - bytes));
    return true;
}

/* Reads an escape after its backslash. */
static bool read_escape(struct ion *i, struct buf *text)
{
    static const char letters[] = "0abtnfrv\"'?\\/", means[] = "\0\a\b\t\n\f\r\v\"'?\\/";
    const char *found;
    char c;

    if (i->at == i->end)
        return fail_text(i, "a string does not end");
    c = *i->at++;
    if (c == 'x' || c == 'u' || c == 'U')
        return read_code(i, c == 'x' ? 2 : c == 'u' ? 4 : 8, text);
    if (c == '\r')
        take_text(i, "\n");
    if (c == '\n' || c == '\r') /* an escaped line feed is dropped */
        return true;
    if (!(found = c ? strchr(letters, c) : NULL))
        return fail_text(i, "there is no such escape");
    buf_add_char(text, means[found - letters]);
    return true;
}

/* Reads a string up to its ending; the caller has taken its beginning. */
static bool read_until(struct ion *i, const char *ending, struct buf *text)
{
    while (i->at < i->end) {
        if (take_text(i, ending))
            return true;
        if (take_text(i, "\\")) {
            if (!read_escape(i, text))
                return false;
        } else {
            buf_add_char(text, *i->at++);
        }
    }
    return fail_text(i, "a string does not end");
}

/* Reads adjacent long strings as one. */
static bool read_long_string(struct ion *i, struct buf *text)
{
    do {
        if (!read_until(i, "'''", text))
            return false;
        skip_blanks(i);
    } while (take_text(i, "'''"));
    return true;
}

/* Writes a string as JSON; the caller has taken its beginning. */
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

/* Like 2024-01-01 or 2024T. */
static bool begins_timestamp(const struct ion *i)
{
    int digits = 0;

    while (digits < 4 && i->at + digits < i->end && i->at[digits] >= '0' && i->at[digits] <= '9')
        digits++;
    return digits == 4 && i->at + digits < i->end && (i->at[digits] == '-' || i->at[digits] == 'T');
}

static bool put_blob(struct ion *i)
{
    buf_add_text(i->out, "{\"B\":\"");
    for (; i->at < i->end && !take_text(i, "}}"); i->at++) {
        if (*i->at == '"' || *i->at == '\'')
            return fail_item(i, "a clob is not a DynamoDB value");
        if (*i->at == '\\')
            return fail_text(i, "this is not base64");
        if (!ascii_is_space(*i->at))
            buf_add_char(i->out, *i->at);
    }
    buf_add_text(i->out, "\"}");
    return true;
}

static bool put_word(struct ion *i, struct span word)
{
    if (span_is(word, "null")) {
        if (take_text(i, "."))
            take_symbol(i);
        buf_add_text(i->out, "{\"NULL\":true}");
        return true;
    }
    if (!span_is(word, "true") && !span_is(word, "false"))
        return fail_item(i, "a symbol is not a DynamoDB value");
    buf_add_text(i->out, "{\"BOOL\":");
    buf_add_span(i->out, word);
    buf_add_char(i->out, '}');
    return true;
}

/* --- containers ------------------------------------------------------------------------------- */

static bool put_value(struct ion *i);

/* Takes the comma or ending after an element or member. *more: another element follows. */
static bool ends_element(struct ion *i, const char *ending, bool *more)
{
    skip_blanks(i);
    *more = take_text(i, ",");
    skip_blanks(i);
    if (take_text(i, ending)) {
        *more = false;
        return true;
    }
    return *more || fail_text(i, "a comma is missing");
}

static bool put_list(struct ion *i)
{
    bool more;

    buf_add_text(i->out, "{\"L\":[");
    skip_blanks(i);
    for (more = !take_text(i, "]"); more;) {
        if (!put_value(i) || !ends_element(i, "]", &more))
            return false;
        if (more)
            buf_add_char(i->out, ',');
    }
    buf_add_text(i->out, "]}");
    return true;
}

/* Writes an element of a set, without its type. */
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
    if (text.at[2] != *attr_type_code(type) || text.at[3] != '"') {
        i->at = begin;
        return fail_item(i, "a member of the set has another type");
    }
    buf_add(out, text.at + 5, text.len - 6);
    return true;
}

/* Reads a member's name and the colon. */
static bool read_name(struct ion *i, struct buf *name)
{
    skip_blanks(i);
    if (take_text(i, "'''")) {
        if (!read_long_string(i, name))
            return false;
    } else if (is_next(i, "\"") || is_next(i, "'")) {
        const char ending[] = {*i->at++, '\0'};

        if (!read_until(i, ending, name))
            return false;
    } else if (i->at < i->end && ion_text_begins_symbol(*i->at)) {
        buf_add_span(name, take_symbol(i));
    } else {
        return fail_text(i, "a name is missing");
    }
    skip_blanks(i);
    return take_text(i, ":") || fail_text(i, "a colon is missing");
}

/* Writes {name: value, …}, whose brace was taken, as a JSON object. `put` writes the values. */
static bool put_members(struct ion *i, bool (*put)(struct ion *i))
{
    const char *before = "{";
    bool more;

    skip_blanks(i);
    for (more = !take_text(i, "}"); more; before = ",") {
        struct buf name = buf_in(i->arena);

        if (!read_name(i, &name))
            return false;
        buf_add_text(i->out, before);
        buf_add_json_string(i->out, buf_span(&name));
        buf_add_char(i->out, ':');
        if (!put(i) || !ends_element(i, "}", &more))
            return false;
    }
    buf_add_text(i->out, *before == ',' ? "}" : "{}");
    return true;
}

/* Writes the value after an annotation and its colons. */
static bool put_annotated(struct ion *i, struct span annotation)
{
    static const struct span prefix = SPAN_LIT_INIT("$dynamodb_");
    enum attr_type type;

    if (span_starts_with(annotation, prefix) &&
        attr_type_of_code(span_from(annotation, prefix.len), &type) && attr_is_set(type)) {
        bool more;

        skip_blanks(i);
        if (!take_text(i, "["))
            return fail_item(i, "a set must be a list");
        buf_printf(i->out, "{\"%s\":[", attr_type_code(type));
        skip_blanks(i);
        for (more = !take_text(i, "]"); more;) {
            skip_blanks(i);
            if (!put_set_member(i, attr_element_type(type)) || !ends_element(i, "]", &more))
                return false;
            if (more)
                buf_add_char(i->out, ',');
        }
        buf_add_text(i->out, "]}");
        return true;
    }
    return fail_item(i, "there is no such annotation here");
}

static bool takes_colons(struct ion *i)
{
    const char *begin = i->at;

    skip_blanks(i);
    if (take_text(i, "::"))
        return true;
    i->at = begin;
    return false;
}

static bool put_named(struct ion *i)
{
    struct buf quoted = buf_in(i->arena);
    struct span word;

    if (!take_text(i, "'")) {
        word = take_symbol(i);
        return takes_colons(i) ? put_annotated(i, word) : put_word(i, word);
    }
    if (!read_until(i, "'", &quoted))
        return false;
    return takes_colons(i) ? put_annotated(i, buf_span(&quoted))
                           : fail_item(i, "a symbol is not a DynamoDB value");
}

static bool put_by_beginning(struct ion *i)
{
    if (i->at == i->end)
        return fail_text(i, "a value is missing");
    if (take_text(i, "'''"))
        return put_string(i, true);
    if (take_text(i, "\""))
        return put_string(i, false);
    if (take_text(i, "{{"))
        return put_blob(i);
    if (take_text(i, "{")) {
        buf_add_text(i->out, "{\"M\":");
        if (!put_members(i, put_value))
            return false;
        buf_add_char(i->out, '}');
        return true;
    }
    if (take_text(i, "["))
        return put_list(i);
    if (ion_text_begins_symbol(*i->at) || *i->at == '\'')
        return put_named(i);
    if ((*i->at >= '0' && *i->at <= '9') || *i->at == '-' || *i->at == '+') {
        if (begins_timestamp(i))
            return fail_item(i, "a timestamp is not a DynamoDB value");
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
    if (*i->at == '(')
        return fail_item(i, "an S-expression is not a DynamoDB value");
    return fail_text(i, "a value is missing");
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

/* Writes a string without its type. */
static bool put_plain(struct ion *i)
{
    skip_blanks(i);
    if (take_text(i, "'''"))
        return put_text(i, true);
    return take_text(i, "\"") ? put_text(i, false) : fail_item(i, "a string is missing");
}

/* The members of a record: the item and, in a bulk put, its condition, named as in PutItem. */
static const struct record_part {
    const char *name;
    bool (*put)(struct ion *i); /* writes each value of a struct, or the text */
    bool is_text;
} parts[] = {
    {"Item", put_value, false},
    {"ConditionExpression", put_plain, true},
    {"ExpressionAttributeNames", put_plain, false},
    {"ExpressionAttributeValues", put_value, false},
};

#define PART_ITEM 0

static bool put_part(struct ion *i, const struct record_part *part)
{
    buf_printf(i->out, "\"%s\":", part->name);
    if (part->is_text)
        return part->put(i);
    skip_blanks(i);
    if (is_next(i, "{{") || !take_text(i, "{"))
        return fail_item(i, arena_printf(i->arena, "%s must be a struct", part->name));
    return put_members(i, part->put);
}

/* Reads the name of one of the first `known` parts. Each part may occur once. */
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
        return fail_item(i, known == 1 ? "a record may only have Item"
                                       : "a record may only have Item and its condition");
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
    for (more = !take_text(i, "}"); more; before = ",") {
        if (!read_part(i, known, seen, &n))
            return false;
        buf_add_text(i->out, before);
        if (!put_part(i, &parts[n]) || !ends_element(i, "}", &more))
            return false;
    }
    buf_add_char(i->out, '}');
    if (seen[PART_ITEM])
        return true;
    i->at--; /* to its closing brace */
    return fail_item(i, "Item is missing");
}

static bool begin_record(struct ion *i, struct arena *a, struct span record, struct buf *json,
                         struct transfer_problem *problem)
{
    *i = (struct ion){
        .arena = a,
        .at = record.at,
        .end = span_end(record),
        .out = json,
        .problem = problem,
    };
    return take_text(i, "{") || fail_text(i, "an Ion struct must begin with {");
}

bool ion_text_read_struct(struct arena *a, struct span record, struct buf *json,
                          struct transfer_problem *problem)
{
    struct ion i;

    return begin_record(&i, a, record, json, problem) && put_members(&i, put_value);
}

bool ion_text_read(struct arena *a, const struct transfer_options *options, struct span record,
                   struct buf *json, struct transfer_problem *problem)
{
    struct ion i;

    return begin_record(&i, a, record, json, problem) &&
           put_record(&i, options->has_conditions ? COUNT(parts) : PART_ITEM + 1);
}
