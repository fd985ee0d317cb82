/* format_csv.c: one row per item, below a header with the attributes' names.
 *
 * Rows end with a line feed; a carriage return before it is dropped. Empty lines are skipped. A
 * field in quotes may contain any character; a quote is doubled. */
#include "base/base64.h"
#include "base/one_more.h"
#include "model/item_codec.h"
#include "model/limits.h"
#include "ops/transfer/transfer_frame.h"
#include "wire/wire_body.h"

#include <stdlib.h>

static char delimiter_of(const struct transfer_options *options)
{
    return options->delimiter ? options->delimiter : ',';
}

/* --- finding the end of a row ----------------------------------------------------------------- */

enum { BEFORE, FIELD_BEGINS, IN_FIELD, IN_QUOTES };

/* Takes a character of a row, outside of quotes; true at the end of the row. */
static bool step_row(struct transfer_frame *f, char c, char delimiter)
{
    if (c == '\n')
        return true;
    if (c == '"' && f->state == FIELD_BEGINS)
        f->state = IN_QUOTES;
    else
        f->state = c == delimiter ? FIELD_BEGINS : IN_FIELD;
    return false;
}

/* Skips to the end of a quoted field; a doubled quote does not end it. False if more text is needed
 * to tell. */
static bool skip_quoted(struct transfer_frame *f, struct span text, bool last)
{
    const char *at = text.at + f->at, *quote = memchr(at, '"', text.len - f->at);

    f->at = quote ? (size_t)(quote - text.at) : text.len;
    if (!quote)
        return true;
    if (f->at + 1 == text.len && !last)
        return false;
    f->at++;
    if (f->at < text.len && text.at[f->at] == '"')
        f->at++;
    else
        f->state = IN_FIELD;
    return true;
}

static enum transfer_framing frame_row(struct transfer_frame *f,
                                       const struct transfer_options *options, struct span text,
                                       bool last)
{
    if (f->state == BEFORE) {
        while (f->at < text.len && (text.at[f->at] == '\n' || text.at[f->at] == '\r'))
            f->at++;
        f->begin = f->at;
        if (f->at == text.len)
            return TRANSFER_FRAME_MORE;
        f->state = FIELD_BEGINS;
    }
    while (f->at < text.len) {
        if (f->state != IN_QUOTES) {
            if (step_row(f, text.at[f->at++], delimiter_of(options)))
                return TRANSFER_FRAME_WHOLE;
            continue;
        }
        if (!skip_quoted(f, text, last))
            return TRANSFER_FRAME_MORE;
    }
    return last && f->state != IN_QUOTES ? TRANSFER_FRAME_WHOLE : TRANSFER_FRAME_MORE;
}

/* --- fields ----------------------------------------------------------------------------------- */

struct field_reader {
    const char *at, *end;
    char delimiter;
    bool done;
};

struct field_text {
    struct span text;
    const char *at; /* its start in the row */
    bool quoted;
};

static struct field_reader fields_of(struct span row, char delimiter)
{
    while (row.len && (row.at[row.len - 1] == '\n' || row.at[row.len - 1] == '\r'))
        row.len--;
    return (struct field_reader){.at = row.at, .end = span_end(row), .delimiter = delimiter};
}

static bool fail_field(struct transfer_problem *problem, const char *text, const char *at)
{
    *problem = (struct transfer_problem){.text = text, .at = at, .of_item = true};
    return false;
}

static bool read_quoted(struct arena *a, struct field_reader *r, struct field_text *out,
                        struct transfer_problem *problem)
{
    struct buf text = buf_in(a);

    out->quoted = true;
    for (r->at++; r->at < r->end; r->at += 2) {
        const char *quote = memchr(r->at, '"', (size_t)(r->end - r->at));

        buf_add(&text, r->at, (size_t)((quote ? quote : r->end) - r->at));
        r->at = quote ? quote : r->end;
        if (!quote || quote + 1 == r->end || quote[1] != '"')
            break;
        for (; r->end - r->at >= 4 && r->at[2] == '"' && r->at[3] == '"'; r->at += 2)
            buf_add_char(&text, '"');
        buf_add_char(&text, '"');
    }
    out->text = buf_span(&text);
    if (r->at == r->end)
        return fail_field(problem, "a quoted field does not end", out->at);
    r->at++;
    if (r->at < r->end && *r->at != r->delimiter)
        return fail_field(problem, "a quote within a field must be doubled, in a quoted field",
                          r->at - 1);
    return true;
}

static bool read_plain(struct field_reader *r, struct field_text *out,
                       struct transfer_problem *problem)
{
    const char *begin = r->at, *end = memchr(begin, r->delimiter, (size_t)(r->end - begin));
    const char *quote;

    r->at = end ? end : r->end;
    out->text = (struct span){begin, (size_t)(r->at - begin)};
    quote = out->text.len ? memchr(begin, '"', out->text.len) : NULL;
    return !quote ||
           fail_field(problem, "a quote within a field must be doubled, in a quoted field", quote);
}

/* Reads the next field; the row must have one. */
static bool read_field(struct arena *a, struct field_reader *r, struct field_text *out,
                       struct transfer_problem *problem)
{
    *out = (struct field_text){.at = r->at};
    if (r->at < r->end && *r->at == '"' ? !read_quoted(a, r, out, problem)
                                        : !read_plain(r, out, problem))
        return false;
    r->done = r->at == r->end;
    r->at += !r->done;
    return true;
}

/* --- reading ---------------------------------------------------------------------------------- */

#define MOST_COLUMNS ((size_t)4096)

static int by_name(const void *a, const void *b)
{
    const struct span *one = *(const struct span *const *)a, *two = *(const struct span *const *)b;
    int order = span_compare(*one, *two);

    return order ? order : (one > two) - (one < two);
}

/* The first column with the name of an earlier one; count if all names differ. */
static size_t find_repeated(struct arena *a, const struct span *names, size_t count)
{
    const struct span **sorted = arena_array(a, count, sizeof(const struct span *));
    size_t first = count;

    for (size_t i = 0; i < count; i++)
        sorted[i] = &names[i];
    qsort(sorted, count, sizeof(const struct span *), by_name);
    for (size_t i = 1; i < count; i++)
        if (span_equal(*sorted[i - 1], *sorted[i]) && (size_t)(sorted[i] - names) < first)
            first = (size_t)(sorted[i] - names);
    return first;
}

/* The start of a column in the header. */
static const char *column_at(struct arena *a, struct field_reader r, size_t column)
{
    struct transfer_problem problem;
    struct field_text field;

    for (size_t i = 0; i < column; i++)
        (void)read_field(a, &r, &field, &problem);
    return r.at;
}

static enum attr_type type_of(const struct transfer_options *options, struct span column)
{
    for (size_t i = 0; i < options->type_count; i++)
        if (span_equal(options->types[i].name, column))
            return options->types[i].type;
    return ATTR_S;
}

/* Looks the types up once, not for each cell. */
static enum attr_type *types_of(struct arena *a, const struct transfer_options *options)
{
    enum attr_type *types = arena_array(a, options->header_count, sizeof *types);

    for (size_t i = 0; i < options->header_count; i++)
        types[i] = type_of(options, options->header[i]);
    return types;
}

static bool read_header(struct arena *a, struct transfer_options *options, struct span record,
                        struct transfer_problem *problem)
{
    const struct field_reader begin = fields_of(record, delimiter_of(options));
    struct field_reader r = begin;
    struct span *names = NULL;
    size_t count = 0, bytes = 0, repeated;

    while (!r.done) {
        struct field_text field;

        if (count == MOST_COLUMNS)
            return fail_field(problem, "there are more columns than mockddb reads", NULL);
        if (!read_field(a, &r, &field, problem))
            return false;
        names = one_more(a, names, count, sizeof *names);
        names[count] = arena_span(a, field.text);
        if (!names[count].len)
            return fail_field(problem, "a column has no name", field.at);
        bytes += names[count++].len;
        if (bytes > LIMIT_ITEM_BYTES)
            return fail_field(problem, "the columns' names are longer than an item", field.at);
    }
    if ((repeated = find_repeated(a, names, count)) < count)
        return fail_field(problem, "two columns have the same name", column_at(a, begin, repeated));
    options->header = names;
    options->header_count = count;
    options->column_types = types_of(a, options);
    return true;
}

/* Writes a value that is not a string in JSON. */
static bool put_other(struct arena *a, struct buf *json, enum attr_type type,
                      const struct field_text *field, struct transfer_problem *problem)
{
    const wire_node *value;

    if (type == ATTR_NULL) {
        buf_add_text(json, "{\"NULL\":true}");
        return true;
    }
    if (type == ATTR_BOOL) {
        if (!span_is(field->text, "true") && !span_is(field->text, "false"))
            return fail_field(problem, "this is neither true nor false", field->at);
        buf_printf(json, "{\"BOOL\":%.*s}", SPAN_ARG(field->text));
        return true;
    }
    if (wire_parse(a, field->text, &value))
        return fail_field(problem, "this is not the JSON of a value", field->at);
    buf_add_span(json, field->text);
    return true;
}

static bool put_value(struct arena *a, struct buf *json, enum attr_type type,
                      const struct field_text *field, struct transfer_problem *problem)
{
    if (type != ATTR_S && type != ATTR_N && type != ATTR_B)
        return put_other(a, json, type, field, problem);
    if (type == ATTR_S && field->text.len > LIMIT_ITEM_BYTES)
        return fail_field(problem, ERROR_ITEM_SIZE, field->at);
    buf_printf(json, "{\"%s\":", attr_type_code(type));
    buf_add_json_string(json, field->text);
    buf_add_char(json, '}');
    return true;
}

static enum attr_type cell_type(const struct transfer_options *options, size_t column)
{
    return options->column_types ? options->column_types[column]
                                 : type_of(options, options->header[column]);
}

/* Checks a row before its JSON is made, which may be fifty times as long because of the names. */
static bool check_row(struct arena *a, const struct transfer_options *options, struct span record,
                      struct transfer_problem *problem)
{
    struct field_reader r = fields_of(record, delimiter_of(options));
    const struct arena_mark mark = arena_mark(a);
    size_t column = 0, bytes = 0;

    for (; !r.done; column++) {
        struct field_text field;

        if (!read_field(a, &r, &field, problem))
            return false;
        if (column == options->header_count)
            return fail_field(problem, "the row has more fields than the header", field.at);
        if (field.text.len || field.quoted)
            bytes += options->header[column].len +
                     (cell_type(options, column) == ATTR_S ? field.text.len : 0);
        arena_release(a, mark);
    }
    if (column < options->header_count)
        return fail_field(problem, "the row has fewer fields than the header", NULL);
    return bytes <= LIMIT_ITEM_BYTES || fail_field(problem, ERROR_ITEM_SIZE, NULL);
}

static bool read_row(struct arena *a, const struct transfer_options *options, struct span record,
                     struct buf *json, struct transfer_problem *problem)
{
    struct field_reader r = fields_of(record, delimiter_of(options));
    const char *before = "{\"Item\":{";

    if (!check_row(a, options, record, problem))
        return false;
    for (size_t column = 0; !r.done; column++) {
        struct field_text field;

        (void)read_field(a, &r, &field, problem);
        if (!field.text.len && !field.quoted)
            continue;
        buf_add_text(json, before);
        buf_add_json_string(json, options->header[column]);
        buf_add_char(json, ':');
        if (!put_value(a, json, cell_type(options, column), &field, problem))
            return false;
        before = ",";
    }
    buf_add_text(json, *before == ',' ? "}}" : "{\"Item\":{}}");
    return true;
}

/* --- writing ---------------------------------------------------------------------------------- */

static bool needs_quotes(struct span text, char delimiter)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] == '"' || text.at[i] == '\n' || text.at[i] == '\r' ||
            text.at[i] == delimiter)
            return true;
    return !text.len;
}

static void write_field(struct buf *out, struct span text, char delimiter)
{
    if (!needs_quotes(text, delimiter)) {
        buf_add_span(out, text);
        return;
    }
    buf_add_char(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] == '"')
            buf_add_char(out, '"');
        buf_add_char(out, text.at[i]);
    }
    buf_add_char(out, '"');
}

static void begin_file(struct buf *out, const struct transfer_options *options)
{
    for (size_t i = 0; i < options->header_count; i++) {
        if (i)
            buf_add_char(out, delimiter_of(options));
        write_field(out, options->header[i], delimiter_of(options));
    }
    buf_add_char(out, '\n');
}

static void write_value(struct arena *a, struct buf *out, const struct attr *value, char delimiter)
{
    struct buf text = buf_in(a);

    switch (value->type) {
    case ATTR_S:
    case ATTR_N:
        write_field(out, value->bytes, delimiter);
        return;
    case ATTR_B:
        base64_encode(&text, value->bytes);
        break;
    case ATTR_BOOL:
        buf_add_text(&text, value->boolean ? "true" : "false");
        break;
    default:
        attr_encode(&text, value);
        break;
    }
    write_field(out, buf_span(&text), delimiter);
}

/* Leaves out attributes without a column. */
static void write_row(struct arena *a, struct buf *out, const struct transfer_options *options,
                      const struct item *it)
{
    for (size_t i = 0; i < options->header_count; i++) {
        const struct attr *value = item_find(it, options->header[i]);

        if (i)
            buf_add_char(out, delimiter_of(options));
        if (value)
            write_value(a, out, value, delimiter_of(options));
    }
    buf_add_char(out, '\n');
}

const struct transfer_format transfer_format_csv = {
    .name = "CSV",
    .ending = ".csv",
    .frame = frame_row,
    .read_header = read_header,
    .read = read_row,
    .begin = begin_file,
    .write = write_row,
};
