#include "moving/moving_text.h"

#include "base/ascii.h"
#include "model/num.h"
#include "moving/moving_changes.h"
#include "ops/transfer/transfer_look.h"
#include "ops/transfer/transfer_reader.h"

/* --- JSON ------------------------------------------------------------------------------------- */

/* What the first object's members show. */
struct looking {
    bool key_schema, model, manifest, answer; /* names that identify formats */
    bool metadata, keys;                      /* for incremental exports */
    bool inside_table;                        /* in {"Table": …} */
    bool has_item;                            /* {"Item": {…}, …} */
    size_t members, untyped;                  /* untyped: values that DynamoDB does not write */
    size_t typed, nested;                     /* at depth 2: values with a type, and without */
};

static bool begins(const struct transfer_look_member *m, const char *name, char with)
{
    return span_is(m->name, name) && m->value.at[0] == with;
}

static void see_member(struct looking *l, const struct transfer_look_member *m)
{
    l->members++;
    l->inside_table = begins(m, "Table", '{') || begins(m, "TableDescription", '{');
    l->key_schema |= begins(m, "KeySchema", '[');
    l->model |= begins(m, "DataModel", '[');
    l->manifest |= begins(m, "manifestFilesS3Key", '"') || begins(m, "dataFileS3Key", '"');
    l->answer |= begins(m, "Items", '[');
    l->keys |= begins(m, "Keys", '{');
    l->metadata |= begins(m, "Metadata", '{');
    l->untyped += m->value.at[0] != '{';
    l->has_item |= begins(m, "Item", '{');
}

static bool see(void *context, const struct transfer_look_member *m)
{
    struct looking *l = context;
    enum attr_type type;

    if (m->depth == 1) {
        see_member(l, m);
    } else {
        bool is_type = attr_type_of_code(m->name, &type);

        l->key_schema |= l->inside_table && begins(m, "KeySchema", '[');
        l->typed += is_type && (m->value.at[0] != '{' || type == ATTR_M);
        l->nested += !is_type || (m->value.at[0] == '{' && type != ATTR_M);
    }
    return !l->key_schema && !l->model && !l->manifest && !l->answer && !(l->metadata && l->keys);
}

static struct moving_text items(const struct transfer_format *format)
{
    return (struct moving_text){.kind = MOVING_TEXT_ITEMS, .format = format};
}

static struct moving_text changes(const struct transfer_format *format)
{
    return (struct moving_text){.kind = MOVING_TEXT_ITEMS, .format = format, .changes = true};
}

static struct moving_text know_object(struct span text, bool whole)
{
    struct looking l = {.members = 0};
    size_t len = transfer_look(text, see, &l);

    if (l.model)
        return (struct moving_text){.kind = MOVING_TEXT_MODEL};
    if (l.key_schema)
        return (struct moving_text){.kind = MOVING_TEXT_TABLE};
    if (l.metadata && l.keys)
        return changes(&moving_changes_json);
    if (l.manifest)
        return (struct moving_text){.kind = MOVING_TEXT_MANIFEST};
    if (!l.answer && !len && !whole)
        return (struct moving_text){.kind = MOVING_TEXT_UNSURE};
    if (!l.answer && !(l.has_item && l.nested) && (l.untyped || l.nested || l.typed != l.members))
        return items(&transfer_format_jsonl);
    return items(&transfer_format_printed);
}

/* --- all -------------------------------------------------------------------------------------- */

static struct span skip_blanks(struct span text)
{
    return span_from(text, transfer_look_past_blanks(text, 0));
}

struct moving_text moving_text_know(struct span head, bool whole)
{
    static const struct span ion = SPAN_LIT_INIT("$ion_1_0");
    struct span text = skip_blanks(head);
    bool is_list = text.len && text.at[0] == '[';

    if (is_list)
        text = skip_blanks(span_from(text, 1));
    if (!text.len && !whole)
        return (struct moving_text){.kind = MOVING_TEXT_UNSURE};
    if (text.len && text.at[0] == '{')
        return know_object(text, whole);
    if (is_list)
        return items(&transfer_format_printed);
    if (!text.len)
        return (struct moving_text){.kind = MOVING_TEXT_EMPTY};
    if (text.len < ion.len && !whole)
        return (struct moving_text){.kind = MOVING_TEXT_UNSURE};
    if (span_starts_with(text, ion))
        return moving_changes_are_in(text) ? changes(&moving_changes_ion)
                                           : items(&transfer_format_ion);
    return items(&transfer_format_csv);
}

bool moving_text_is_binary_ion(struct span head)
{
    return span_starts_with(head, SPAN_LIT("\xE0\x01\x00\xEA"));
}

bool moving_text_is_utf16(struct span head)
{
    return span_starts_with(head, SPAN_LIT("\xFF\xFE")) ||
           span_starts_with(head, SPAN_LIT("\xFE\xFF"));
}

/* --- CSV -------------------------------------------------------------------------------------- */

char moving_text_delimiter(struct span head)
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

bool moving_text_header(struct arena *a, struct span head, bool whole,
                        struct transfer_options *options)
{
    const struct transfer_format *csv = &transfer_format_csv;
    struct transfer_frame frame = {.begin = 0};
    struct transfer_problem problem;

    return csv->frame(&frame, options, head, whole) == TRANSFER_FRAME_WHOLE &&
           csv->read_header(a, options,
                            (struct span){head.at + frame.begin, frame.at - frame.begin}, &problem);
}

struct span moving_text_head(const struct moving_text *text, struct span head, bool whole,
                             const struct transfer_options *options)
{
    struct transfer_frame frame = {.begin = 0};
    struct span line;

    if (text->format == &transfer_format_ion || text->format == &moving_changes_ion)
        return SPAN_LIT("$ion_1_0");
    if (text->format != &transfer_format_csv ||
        text->format->frame(&frame, options, head, whole) != TRANSFER_FRAME_WHOLE)
        return (struct span){"", 0};
    line = (struct span){head.at + frame.begin, frame.at - frame.begin};
    while (line.len && ascii_is_blank(line.at[line.len - 1]))
        line.len--;
    return line;
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

/* Notes a value's type for its column; mixed types become a string. */
static void note_type(struct arena *a, struct transfer_column *column, const wire_node *value,
                      bool *is_known)
{
    enum attr_type type = type_of(a, wire_text(wire_first(value)));

    column->type = *is_known && column->type != type ? ATTR_S : type;
    *is_known = true;
}

/* The item's members are in the order of the columns. */
static void note_row(struct arena *a, const struct transfer_options *options, const wire_node *item,
                     struct transfer_column *columns, bool *known)
{
    size_t i = 0;

    for (const wire_node *m = wire_first(item); m; m = wire_next(m)) {
        while (i < options->header_count && !span_equal(options->header[i], wire_name(m)))
            i++;
        if (i == options->header_count)
            return;
        note_type(a, &columns[i], m, &known[i]);
    }
}

size_t moving_text_types(struct arena *a, const struct transfer_options *options, struct span head,
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

/* --- keys ------------------------------------------------------------------------------------- */

static bool can_be_key(enum attr_type type)
{
    return type == ATTR_S || type == ATTR_N || type == ATTR_B;
}

size_t moving_text_keys(struct arena *a, const struct moving_text *text, struct span head,
                        bool whole, struct transfer_column **out)
{
    struct transfer_options options = {.by_lines = true};
    struct transfer_record record = {0};
    struct transfer_column *types = NULL;
    struct transfer_reader *r;
    struct transfer_fault fault;
    enum transfer_reading what;
    size_t count = 0;

    if (text->format == &transfer_format_csv) {
        options.delimiter = moving_text_delimiter(head);
        options.type_count = moving_text_types(a, &options, head, whole, &types);
    }
    options.types = types;
    r = transfer_reader_new(text->format, &options);
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

        if (can_be_key(f->value.type))
            (*out)[count++] = (struct transfer_column){arena_span(a, f->name), f->value.type};
    }
    transfer_reader_free(r);
    return count;
}
