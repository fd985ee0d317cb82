#include "moving/moving_columns.h"

#include "model/num.h"
#include "moving/moving_types.h"
#include "ops/transfer/transfer_reader.h"

/* --- the header ------------------------------------------------------------------------------- */

/* The character between fields, by the header: a comma, or without a comma in it, a semicolon, tab
 * or bar. */
static char delimiter_of(struct span head)
{
    static const char others[] = ";\t|";
    char found = ',';
    bool quoted = false;

    for (size_t i = 0; i < head.len && (quoted || head.at[i] != '\n'); i++) {
        char c = head.at[i];

        if (c == '"')
            quoted = !quoted;
        else if (!quoted && c == ',')
            return c;
        else if (!quoted && found == ',' && memchr(others, c, sizeof others - 1))
            found = c;
    }
    return found;
}

/* Reads the header into *options; returns false if it is not a header, or incomplete. */
static bool read_header(struct arena *a, struct span head, bool whole,
                        struct transfer_options *options)
{
    const struct transfer_format *csv = &transfer_format_csv;
    struct transfer_frame frame = {.begin = 0};
    struct transfer_problem problem;

    return csv->frame(&frame, options, head, whole) == TRANSFER_FRAME_WHOLE &&
           csv->read_header(a, options,
                            (struct span){head.at + frame.begin, frame.at - frame.begin}, &problem);
}

/* --- types of columns ------------------------------------------------------------------------- */

/* Whether the text can only be a number: 007 and +1 may be something else. */
static bool is_number(struct span text)
{
    const char *first = text.at + (text.len && text.at[0] == '-');
    size_t len = text.len - (size_t)(first - text.at);
    struct num n;

    if (!len || *first < '0' || *first > '9' || (*first == '0' && len > 1 && first[1] != '.'))
        return false;
    return num_parse(text, false, &n) == NUM_OK;
}

static enum attr_type type_of(struct arena *a, struct span text)
{
    const wire_node *value;
    enum attr_type type;

    if (is_number(text))
        return ATTR_N;
    if (span_is(text, "true") || span_is(text, "false"))
        return ATTR_BOOL;
    if (text.len && text.at[0] == '{' && !wire_parse(a, text, &value) && wire_count(value) == 1 &&
        attr_type_of_code(wire_name(wire_first(value)), &type))
        return type;
    return ATTR_S;
}

/* Notes the types of an item's values, which are in the order of the columns; a column of several
 * types has strings. */
static void note_row(struct arena *a, const struct transfer_options *options, const wire_node *item,
                     struct transfer_column *columns, bool *known)
{
    size_t i = 0;
    enum attr_type type;

    for (const wire_node *m = wire_first(item); m; m = wire_next(m)) {
        while (i < options->header_count && !span_equal(options->header[i], wire_name(m)))
            i++;
        if (i == options->header_count)
            return;
        type = type_of(a, wire_text(wire_first(m)));
        columns[i].type = known[i] && columns[i].type != type ? ATTR_S : type;
        known[i] = true;
    }
}

/* Infers types of CSV's columns from the first rows; lists only columns that are not strings:
 * numbers as numbers, true and false as booleans, {"L": […]} and the like as typed JSON. */
static size_t infer_types(struct arena *a, const struct transfer_options *options, struct span head,
                          bool whole, struct transfer_column **out)
{
    struct transfer_options as_text = *options;
    struct transfer_reader *r;
    struct transfer_record record;
    struct transfer_fault fault;
    struct transfer_column *columns = NULL;
    bool *known = NULL;
    size_t count = 0, kept = 0;
    enum transfer_reading what;

    as_text.type_count = 0;
    r = transfer_reader_new(&transfer_format_csv, &as_text);
    transfer_reader_feed(r, head);
    if (whole)
        transfer_reader_end(r);
    while ((what = transfer_reader_skip(r, a, &record, &fault)) == TRANSFER_ITEM ||
           what == TRANSFER_BAD_ITEM) {
        const struct transfer_options *found = transfer_reader_options(r);

        if (!columns) {
            count = found->header_count;
            columns = arena_array(a, count, sizeof *columns);
            known = arena_array(a, count, sizeof *known);
            for (size_t i = 0; i < count; i++)
                columns[i].name = found->header[i];
        }
        if (what == TRANSFER_ITEM)
            note_row(a, found, wire_get(record.object, "Item"), columns, known);
    }
    for (size_t i = 0; i < count; i++)
        if (known[i] && columns[i].type != ATTR_S)
            columns[kept++] = (struct transfer_column){arena_span(a, columns[i].name),
                                                       columns[i].type};
    transfer_reader_free(r);
    *out = columns;
    return kept;
}

/* --- choosing --------------------------------------------------------------------------------- */

static bool has_type(const struct transfer_column *columns, size_t count, struct span name)
{
    for (size_t k = 0; k < count; k++)
        if (span_equal(columns[k].name, name))
            return true;
    return false;
}

/* Without the key's columns no row is an item. A faulty header is reported when it is read. */
static const char *check_columns(const struct moving_columns *c,
                                 const struct transfer_options *options)
{
    struct transfer_options header = *options;

    if (!read_header(c->arena, c->head, c->whole, &header))
        return NULL;
    for (size_t k = 0; k < c->table->key_count; k++)
        if (!span_is_among(c->table->keys[k], header.header, header.header_count))
            return arena_printf(c->arena,
                                "this is not JSON or Ion, and as CSV it has no column %.*s in its "
                                "header, the key of table %.*s",
                                SPAN_ARG(c->table->keys[k]), SPAN_ARG(c->table->name));
    for (size_t k = 0; k < c->type_count; k++)
        if (!span_is_among(c->types[k].name, header.header, header.header_count))
            moving_report_note(c->report, c->arena, c->file,
                               "there is no column %.*s, which --types names",
                               SPAN_ARG(c->types[k].name));
    return NULL;
}

/* Explicit types come first, then those of the table's key. There is room for more after them. */
static struct transfer_column *known_types(const struct moving_columns *c, size_t more,
                                           size_t *count)
{
    struct transfer_column *types = arena_array(
        c->arena, c->type_count + c->table->key_count + more + 1, sizeof *types);

    for (*count = 0; *count < c->type_count; ++*count)
        types[*count] = c->types[*count];
    for (size_t k = 0; k < c->table->key_count; k++)
        if (!has_type(types, *count, c->table->keys[k]))
            types[(*count)++] = (struct transfer_column){c->table->keys[k], c->table->types[k]};
    return types;
}

/* The types of other columns are inferred from the first rows. */
static void choose_types(const struct moving_columns *c, struct transfer_options *options)
{
    struct transfer_column *inferred, *types;
    size_t found = infer_types(c->arena, options, c->head, c->whole, &inferred);
    size_t count, first;

    types = known_types(c, found, &count);
    first = count;
    for (size_t k = 0; k < found; k++)
        if (!has_type(types, first, inferred[k].name))
            types[count++] = inferred[k];
    if (count > first)
        moving_report_note(c->report, c->arena, c->file,
                           "types inferred from the first rows: --types %s",
                           moving_types_show(c->arena, types + first, count - first));
    options->types = types;
    options->type_count = count;
}

const char *moving_columns_choose(const struct moving_columns *c,
                                  const struct transfer_format *format,
                                  struct transfer_options *options)
{
    const char *problem = NULL;

    if (format == &transfer_format_csv) {
        options->delimiter = delimiter_of(c->head);
        if (options->delimiter != ',')
            moving_report_note(c->report, c->arena, c->file, "fields are separated by %s",
                               options->delimiter == '\t' ? "a tab"
                                                          : (char[]){options->delimiter, '\0'});
        if (!(problem = check_columns(c, options)))
            choose_types(c, options);
    } else if (format == &transfer_format_jsonl) {
        options->types = known_types(c, 0, &options->type_count);
    } else if (c->type_count) {
        moving_report_note(c->report, c->arena, c->file,
                           "its values contain their types, so --types is ignored");
    }
    return problem;
}

/* --- keys ------------------------------------------------------------------------------------- */

size_t moving_columns_keys(struct arena *a, const struct transfer_format *format, struct span head,
                           bool whole, struct transfer_column **out)
{
    struct transfer_options options = {.by_lines = true};
    struct transfer_record record = {0};
    struct transfer_column *types = NULL;
    struct transfer_reader *r;
    struct transfer_fault fault;
    enum transfer_reading what;
    size_t count = 0;

    if (format == &transfer_format_csv) {
        options.delimiter = delimiter_of(head);
        options.type_count = infer_types(a, &options, head, whole, &types);
    }
    options.types = types;
    r = transfer_reader_new(format, &options);
    transfer_reader_feed(r, head);
    if (whole)
        transfer_reader_end(r);
    do
        what = transfer_reader_next(r, a, &record, &fault);
    while (what == TRANSFER_BAD_ITEM);
    if (what != TRANSFER_ITEM)
        record.item.len = 0;
    *out = arena_array(a, record.item.len, sizeof **out);
    for (size_t i = 0; i < record.item.len; i++) {
        const struct field *f = &record.item.at[i];

        if (f->value.type == ATTR_S || f->value.type == ATTR_N || f->value.type == ATTR_B)
            (*out)[count++] = (struct transfer_column){arena_span(a, f->name), f->value.type};
    }
    transfer_reader_free(r);
    return count;
}
