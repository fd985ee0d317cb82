#include "moving/moving_import_core.h"

#include "base/cut.h"
#include "base/file.h"
#include "base/utf8.h"
#include "fixtures/fixtures_table.h"
#include "model/item_codec.h"
#include "model/limits.h"
#include "moving/moving_changes.h"
#include "moving/moving_columns.h"

#include <stdlib.h>

#define PART      ((size_t)256 * 1024)
#define FIRST     ((size_t)64 * 1024) /* bytes to wait for before a text's format is decided */
#define MAX_HEAD  (2 * LIMIT_TRANSFER_RECORD) /* … and after which it must be decided */
#define MAX_TABLE LIMIT_MB                    /* of a table's description */

static size_t most_of(enum moving_text_kind kind)
{
    return kind == MOVING_TEXT_TABLE      ? MAX_TABLE
           : kind == MOVING_TEXT_TEMPLATE ? LIMIT_TEMPLATE
                                          : MAX_HEAD;
}

struct moving_import *moving_import_new(struct arena *a, struct client *client,
                                        struct moving_tables *tables, struct moving_report *report,
                                        const struct moving_import_options *options)
{
    struct moving_import *i = process_zeroed(sizeof *i);

    i->arena = a;
    i->client = client;
    i->tables = tables;
    i->report = report;
    i->options = *options;
    i->room = process_malloc(PART);
    i->whole_arena = arena_new();
    i->record = arena_new();
    return i;
}

static void end_text(struct moving_import *i)
{
    packed_reader_free(i->text.packed);
    transfer_reader_free(i->text.reader);
    moving_load_free(i->goal.load);
    moving_model_free(i->model.text);
    i->text.packed = NULL;
    i->text.reader = NULL;
    i->goal = (struct import_goal){NULL};
    i->model = (struct import_model){NULL};
    arena_reset(i->whole_arena);
}

void moving_import_free(struct moving_import *i)
{
    if (!i)
        return;
    end_text(i);
    arena_free(i->whole_arena);
    arena_free(i->record);
    free(i->room);
    free(i);
}

void moving_import_begin(struct moving_import *i, const char *file, struct span table)
{
    end_text(i);
    i->report->head = (struct span){"", 0};
    i->text = (struct import_text){.file = file,
                                   .place = table,
                                   .expected = MOVING_TEXT_UNSURE,
                                   .known = {.kind = MOVING_TEXT_UNSURE},
                                   .whole = buf_in(i->whole_arena),
                                   .judged_from = FIRST};
}

void moving_import_expect(struct moving_import *i, enum moving_text_kind kind)
{
    i->text.expected = kind;
    if (!i->options.is_fixture || kind == MOVING_TEXT_UNSURE)
        return;
    i->text.known = (struct moving_text){.kind = kind, .format = &transfer_format_printed};
    i->text.cuts = kind == MOVING_TEXT_ITEMS;
    if (i->text.cuts && !moving_tables_has_made(i->tables, moving_import_name_of(i, i->text.place)))
        i->text.records = MOVING_IMPORT_LEFT_OUT;
}

int64_t moving_import_records(const struct moving_import *i)
{
    return i->text.records;
}

/* --- names ------------------------------------------------------------------------------------ */

/* Notes a table in the data; returns whether it is wanted. */
bool moving_import_meet(struct moving_import *i, struct span name)
{
    if (name.len)
        moving_names_add(i->arena, &i->met, name);
    for (size_t k = 0; k < i->options.only.count; k++)
        if (span_is(name, i->options.only.at[k]))
            return true;
    return i->options.only.count == 0;
}

const char *moving_import_unmet(struct moving_import *i)
{
    const struct moving_import_options *o = &i->options;

    for (size_t k = 0; k < o->only.count + o->renames.count; k++) {
        struct span name = k < o->only.count ? span_of(o->only.at[k])
                                             : o->renames.at[k - o->only.count].name;

        if (!moving_names_have(&i->met, name))
            return moving_names_lack(i->arena, &i->met, name, "the items read");
    }
    return NULL;
}

struct span moving_import_name_of(const struct moving_import *i, struct span name)
{
    if (i->options.table)
        name = span_of(i->options.table);
    for (size_t k = 0; k < i->options.renames.count; k++)
        if (span_equal(name, i->options.renames.at[k].name))
            name = i->options.renames.at[k].value;
    return span_of(arena_printf(i->arena, "%s%.*s", i->options.prefix, SPAN_ARG(name)));
}

const char *moving_import_in_file(struct moving_import *i, const char *problem)
{
    return problem ? arena_printf(i->arena, "%s: %s", i->text.file, problem) : NULL;
}

/* --- items ------------------------------------------------------------------------------------ */

static const char *refuse_record(struct moving_import *i, const struct transfer_fault *fault)
{
    return moving_import_in_file(
        i, moving_report_refuse(i->report, i->arena,
                                &(struct moving_refusal){i->text.file, fault->line, fault->column,
                                                         fault->text, fault->record}));
}

static enum transfer_reading next_record(struct moving_import *i, struct transfer_record *record,
                                         struct transfer_fault *fault)
{
    arena_reset(i->record);
    if (i->text.cuts)
        return transfer_reader_cut(i->text.reader, i->record, record, fault);
    return i->options.rules ? transfer_reader_next(i->text.reader, i->record, record, fault)
                            : transfer_reader_skip(i->text.reader, i->record, record, fault);
}

static const char *count_record(struct moving_import *i, bool is_gone)
{
    i->report->deleted += is_gone;
    i->report->items += !is_gone;
    return NULL;
}

static const char *put_record(struct moving_import *i, const struct transfer_record *record)
{
    struct moving_item item = {.node = i->text.cuts ? NULL : wire_get(record->object, "Item"),
                               .json = record->json,
                               .gone = i->text.known.changes && moving_changes_is_gone(record),
                               .file = i->text.file,
                               .line = record->line,
                               .text = record->text};
    struct buf json = buf_in(i->record);

    if (i->options.looks)
        return count_record(i, item.gone);
    if (i->options.rules) {
        struct item masked = mask_rules_apply(i->options.rules, i->record, i->goal.name,
                                              &record->item);

        item_encode(&json, &masked);
        item.json = item.text = buf_span(&json);
        if (wire_parse(i->record, item.json, &item.node))
            return "a rule's result is not an item";
    }
    return moving_load_put(i->goal.load, i->arena, &item);
}

/* Takes all complete items. */
const char *moving_import_take_items(struct moving_import *i)
{
    for (;;) {
        struct transfer_record record;
        struct transfer_fault fault;
        const char *problem;

        switch (next_record(i, &record, &fault)) {
        case TRANSFER_MORE:
        case TRANSFER_END:
            return NULL;
        case TRANSFER_BAD_TEXT:
            if ((problem = refuse_record(i, &fault)))
                return problem;
            return arena_printf(i->arena, "%s: everything after line %zu was not read",
                                i->text.file, fault.line);
        case TRANSFER_BAD_ITEM:
            i->text.records++;
            if ((problem = refuse_record(i, &fault)))
                return problem;
            break;
        case TRANSFER_ITEM:
            i->text.records++;
            if ((problem = put_record(i, &record)))
                return moving_import_in_file(i, problem);
            break;
        }
    }
}

/* --- beginning -------------------------------------------------------------------------------- */

const char *moving_import_begin_load(struct moving_import *i, const struct moving_table *table)
{
    const char *problem = i->options.rules
                              ? mask_rules_check_keys(i->arena, i->options.rules, i->goal.name,
                                                      table->keys, table->key_count)
                              : NULL;

    i->goal.load = moving_load_new(i->client, table->name, table->keys, table->key_count,
                                   i->report);
    moving_load_set_pace(i->goal.load, i->options.pace);
    moving_load_set_ttl(i->goal.load, moving_tables_ttl(i->tables, table->name),
                        client_now_ms(i->client, i->record));
    return problem;
}

const char *moving_import_end_load(struct moving_import *i)
{
    const char *problem = i->goal.load ? moving_load_end(i->goal.load, i->arena) : NULL;

    moving_load_free(i->goal.load);
    i->goal.load = NULL;
    i->goal.table = NULL;
    return moving_import_in_file(i, problem);
}

struct moving_keys moving_import_keys(const struct moving_import *i)
{
    return i->keys;
}

/* Begins a fixture's items with the first part of their text, which it returns without a mark. */
static struct span begin_cuts(struct moving_import *i, struct span part)
{
    static const struct transfer_options by_lines = {.by_lines = true};
    const struct span table = moving_import_name_of(i, i->text.place);

    i->goal.load = moving_load_new(i->client, table, NULL, 0, i->report);
    i->text.reader = transfer_reader_new(i->text.known.format, &by_lines);
    return utf8_skip_mark(part);
}

static const char *begin_items(struct moving_import *i, bool last)
{
    static const struct moving_table any = {.key_count = 0};
    struct transfer_options options = {.by_lines = true};
    struct moving_columns columns = {.arena = i->arena,
                                     .report = i->report,
                                     .file = i->text.file,
                                     .head = buf_span(&i->text.whole),
                                     .whole = last,
                                     .types = i->options.types,
                                     .type_count = i->options.type_count};
    const struct moving_table *table;
    struct transfer_column *found;
    const char *problem;
    struct span name;

    i->goal.name = i->options.table ? span_of(i->options.table) : i->text.place;
    if (!i->goal.name.len)
        return "which table is it for? give --table NAME";
    name = moving_import_name_of(i, i->goal.name);
    problem = moving_tables_plan(i->tables, name, &columns.table);
    if (i->options.looks || moving_tables_missing(i->tables).len) {
        i->keys.count = moving_columns_keys(i->arena, i->text.known.format, columns.head, last,
                                            &found);
        i->keys.at = found;
    }
    if (problem)
        return problem;
    if (i->options.looks && !i->options.table)
        columns.table = &any; /* the items may be for another one than the file's name says */
    /* a text without valid items is detected before a table is created for it */
    if ((problem = moving_columns_choose(&columns, i->text.known.format, &options)) ||
        (problem = moving_tables_find(i->tables, name, &table)) ||
        (problem = moving_import_begin_load(i, table)))
        return problem;
    if (!i->options.rules) /* masks write JSON */
        i->report->head = arena_span(
            i->arena, moving_text_head(&i->text.known, columns.head, last, &options));
    i->text.reader = transfer_reader_new(i->text.known.format, &options);
    transfer_reader_feed(i->text.reader, columns.head);
    arena_reset(i->whole_arena);
    i->text.whole = buf_in(i->whole_arena);
    return NULL;
}

/* --- bytes ------------------------------------------------------------------------------------ */

/* A text in braces that is no JSON is a table with a fault in it rather than another form. */
static const char *why_no_tables(struct moving_import *i, struct span head)
{
    const char *fault = head.len && head.at[0] == '{' ? wire_error_at(i->arena, head) : NULL;
    const struct text_place place = text_place_of(head, fault ? fault : head.at);

    if (!fault || fault == span_end(head) || *fault == '{') /* it is longer, or a line of many */
        return template_expected;
    return arena_printf(i->arena, "line %zu, column %zu: this is not JSON", place.line,
                        place.column);
}

/* Decides the format of the text from its beginning. */
static const char *begin_text(struct moving_import *i, bool last)
{
    const struct span head = utf8_skip_mark(buf_span(&i->text.whole));

    if (head.len < i->text.whole.len)
        memmove(i->text.whole.at, head.at, head.len);
    i->text.whole.len = head.len;
    if (moving_text_is_binary_ion(buf_span(&i->text.whole)))
        return moving_import_in_file(i, "this is binary Ion, of which only the text form is read");
    if (moving_text_is_utf16(buf_span(&i->text.whole)))
        return moving_import_in_file(
            i, "this is UTF-16, as Windows PowerShell writes it: save it as UTF-8");
    i->text.known = moving_text_know(buf_span(&i->text.whole), last);
    if (i->text.expected == MOVING_TEXT_TABLE && i->text.known.kind != MOVING_TEXT_TABLE &&
        i->text.known.kind != MOVING_TEXT_UNSURE)
        return moving_import_in_file(i, "it does not describe a table");
    if (i->options.is_fixture && i->text.known.kind != MOVING_TEXT_TABLE &&
        i->text.known.kind != MOVING_TEXT_MODEL && i->text.known.kind != MOVING_TEXT_TEMPLATE &&
        i->text.known.kind != MOVING_TEXT_UNSURE)
        return moving_import_in_file(i, why_no_tables(i, head));
    if (i->text.known.kind == MOVING_TEXT_MANIFEST)
        return moving_import_in_file(
            i, "this is a manifest of an export: it is the export's folder that can be "
               "imported");
    if (i->text.known.kind == MOVING_TEXT_MODEL)
        return moving_import_begin_model(i);
    if (i->text.known.kind != MOVING_TEXT_ITEMS && i->text.known.kind != MOVING_TEXT_EMPTY)
        return NULL;
    if (!moving_import_meet(i, i->text.place) && !i->options.table)
        i->text.records = MOVING_IMPORT_LEFT_OUT;
    else if (i->text.known.kind == MOVING_TEXT_ITEMS)
        return moving_import_in_file(i, begin_items(i, last));
    return NULL;
}

static const char *take_head(struct moving_import *i, struct span part)
{
    const char *problem = NULL;

    if (i->text.whole.len + part.len > most_of(i->text.known.kind))
        return moving_import_in_file(i, "this is too long, or has an unknown format");
    buf_add_span(&i->text.whole, part);
    if (i->text.known.kind == MOVING_TEXT_UNSURE && i->text.whole.len >= i->text.judged_from) {
        problem = begin_text(i, false);
        i->text.judged_from =
            2 * i->text.whole.len; /* each attempt reads all of it, so wait for twice as much */
    }
    return problem || i->model.text || !i->text.reader ? problem : moving_import_take_items(i);
}

static const char *take_text(struct moving_import *i, struct span part)
{
    if (i->model.text)
        return moving_import_take_model(i, part);
    if (i->text.cuts && !i->text.reader)
        part = begin_cuts(i, part);
    if (i->text.reader) {
        transfer_reader_feed(i->text.reader, part);
        return moving_import_take_items(i);
    }
    if (i->text.known.kind == MOVING_TEXT_UNSURE || i->text.known.kind == MOVING_TEXT_TABLE ||
        i->text.known.kind == MOVING_TEXT_TEMPLATE)
        return take_head(i, part);
    return NULL;
}

const char *moving_import_feed(struct moving_import *i, struct span *part, size_t most, bool *more)
{
    struct span text = {part->at, part->len < most ? part->len : most};
    const char *problem;

    *more = false;
    if (!i->text.knows_form) {
        if (span_starts_with(*part, SPAN_LIT("\x1f\x8b")))
            i->text.packed = packed_reader_new(PACKED_GZIP);
        else if (span_starts_with(*part, SPAN_LIT("\x28\xb5\x2f\xfd")))
            i->text.packed = packed_reader_new(PACKED_ZSTD);
        i->text.knows_form = true;
    }
    if (!i->text.packed) {
        *part = span_from(*part, text.len);
    } else {
        text.at = i->room;
        problem = packed_read(i->text.packed, part, i->room, most < PART ? most : PART, &text.len);
        if (problem)
            return moving_import_in_file(i, problem);
    }
    *more = part->len || (i->text.packed && text.len);
    return text.len ? take_text(i, text) : NULL;
}

bool moving_import_may_ask_again(const struct moving_import *i)
{
    return i->text.known.kind == MOVING_TEXT_UNSURE ||
           (i->text.known.kind == MOVING_TEXT_MODEL && !i->model.again);
}

static const char *make_described(struct moving_import *i, struct template *t)
{
    const struct problem *p = NULL;
    const char *problem = NULL;

    for (size_t k = 0; k < template_count(t) && !p && !problem; k++) {
        const struct span name = template_name(t, k);
        struct fixture_table table;

        if (moving_import_meet(i, name) &&
            !(p = template_requests(t, k, moving_import_name_of(i, name), &table)) &&
            (problem = moving_tables_create(i->tables, &table)))
            problem = template_refusal(t, k, problem);
    }
    return p ? problem_text(i->arena, p) : problem;
}

static const char *finish_template(struct moving_import *i)
{
    static const struct template_options none = {.params = {NULL, 0}};
    struct template *t;
    const struct problem *p;
    const char *problem, *note;

    if (i->options.table)
        return moving_import_in_file(
            i, "a template names its tables itself: --only chooses, --map renames");
    if ((p = template_read(i->arena, i->text.file, buf_span(&i->text.whole),
                           i->options.templates ? i->options.templates : &none, &t)))
        return problem_text(i->arena, p);
    problem = make_described(i, t);
    while ((note = template_next_note(t)) && i->report->note)
        i->report->note(i->report, note);
    return problem;
}

static const char *finish_text(struct moving_import *i, bool *more, bool *again)
{
    const char *problem = i->text.packed
                              ? moving_import_in_file(i, packed_reader_end(i->text.packed))
                              : NULL;
    struct span whole, name;

    packed_reader_free(i->text.packed);
    i->text.packed = NULL;
    i->text.knows_form = false;
    if (problem || (i->text.known.kind == MOVING_TEXT_UNSURE && (problem = begin_text(i, true))))
        return problem;
    whole = buf_span(&i->text.whole);
    if (i->text.known.kind == MOVING_TEXT_TABLE) {
        problem = fixtures_table_name(i->arena, whole, &name);
        if (!problem && i->options.is_fixture && i->text.expected == MOVING_TEXT_TABLE &&
            !span_equal(name, i->text.place))
            problem = arena_printf(i->arena, "TableName is \"%.*s\", not the file's name",
                                   SPAN_ARG(name));
        if (!problem && (i->options.table || moving_import_meet(i, name)))
            problem = moving_tables_make(i->tables, whole, moving_import_name_of(i, name));
        return moving_import_in_file(i, problem);
    }
    if (i->text.known.kind == MOVING_TEXT_TEMPLATE)
        return finish_template(i);
    if (i->model.text)
        return moving_import_finish_model(i, more, again);
    if (!i->text.reader)
        return NULL;
    transfer_reader_end(i->text.reader);
    return moving_import_take_items(i);
}

/* Items that were read before an error are still written. */
const char *moving_import_end(struct moving_import *i, bool *more, bool *again)
{
    const char *problem, *late;

    *more = *again = false;
    problem = finish_text(i, more, again);
    if (!problem && (*more || *again))
        return NULL;
    *more = *again = false;
    late = moving_import_stop(i);
    return problem ? problem : late;
}

const char *moving_import_stop(struct moving_import *i)
{
    const char *problem = moving_import_end_load(i);

    end_text(i);
    return problem;
}

/* --- what people give ------------------------------------------------------------------------- */

struct span moving_import_table_of(const char *path)
{
    static const char *const endings[] = {".gz",     ".zst", ".json", ".jsonl",
                                          ".ndjson", ".ion", ".csv"};
    struct span name = span_of(file_base(path));

    for (size_t i = 0; i < COUNT(endings); i++)
        (void)cut_ending(&name, endings[i]);
    return name;
}
