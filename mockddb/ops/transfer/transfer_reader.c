#include "ops/transfer/transfer_reader.h"

#include "base/utf8.h"
#include "model/limits.h"
#include "ops/transfer/transfer_json_fault.h"
#include "ops/transfer/transfer_look.h"
#include "wire/wire_attr.h"
#include "wire/wire_shape.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define FIRST_ROOM ((size_t)64 * 1024)

#define NO_JSON "this is not JSON in UTF-8"

static const char item_begins[] = "{\"Item\":";

/* How much of a record is read. */
enum depth { CUT, PARSED, WHOLE };

/* The layout of the records so far. */
enum layout { NO_RECORD, A_LINE_EACH, SPREAD };

#define MOST_PROBLEM ((size_t)200)

/* The members of a record. Only bulk puts have conditions. */
static const struct wire_member members[] = {
    {"Item", &wire_attr_map, WIRE_REQUIRED},
    {"ConditionExpression", &wire_string, 0},
    {"ExpressionAttributeNames", &wire_name_map, 0},
    {"ExpressionAttributeValues", &wire_attr_map, 0},
    {NULL, NULL, 0},
};

struct transfer_reader {
    const struct transfer_format *format;
    struct transfer_options options;
    struct arena *arena; /* of the header */
    char *at;            /* fed bytes; those in [from, to) are not read yet */
    size_t from, to, room;
    bool last, broken, knows_header;
    struct transfer_frame frame; /* of the record at `from` */
    struct text_place place;     /* of `from` */
    size_t made;                 /* bytes of JSON of the current record */

    /* With options.by_lines. */
    enum layout layout;
    const char *wrong_at; /* the place of the last fault; NULL: not known */
    bool in_bad_line;     /* the line's record is bad; reported once the whole line is fed */
    bool behind_bad_line; /* records must begin in the first column until one is good */
    bool skips_line;      /* skips the rest of a line that was too long to keep */
    size_t looked;        /* bytes of the line that were searched for a line feed */
    char problem[MOST_PROBLEM];
};

struct transfer_reader *transfer_reader_new(const struct transfer_format *f,
                                            const struct transfer_options *options)
{
    struct transfer_reader *r = process_zeroed(sizeof *r);

    r->format = f;
    r->options = *options;
    r->arena = arena_new();
    r->knows_header = !f->read_header || options->header_count;
    r->place = (struct text_place){1, 1};
    return r;
}

void transfer_reader_free(struct transfer_reader *r)
{
    if (!r)
        return;
    arena_free(r->arena);
    free(r->at);
    free(r);
}

void transfer_reader_begin_at(struct transfer_reader *r, size_t line, size_t column)
{
    r->place = (struct text_place){line, column};
}

const struct transfer_options *transfer_reader_options(const struct transfer_reader *r)
{
    return &r->options;
}

/* --- bytes ------------------------------------------------------------------------------------ */

static void make_room(struct transfer_reader *r, size_t len)
{
    if (r->from) {
        memmove(r->at, r->at + r->from, r->to - r->from);
        r->to -= r->from;
        r->from = 0;
    }
    if (r->room - r->to >= len)
        return;
    r->room = r->room ? r->room : FIRST_ROOM;
    while (r->room - r->to < len)
        r->room *= 2;
    r->at = process_realloc(r->at, r->room);
}

void transfer_reader_feed(struct transfer_reader *r, struct span part)
{
    if (!part.len)
        return;
    if (r->room - r->to < part.len)
        make_room(r, part.len);
    memcpy(r->at + r->to, part.at, part.len);
    r->to += part.len;
}

void transfer_reader_end(struct transfer_reader *r)
{
    r->last = true;
}

/* Moves on by len bytes and counts lines; len is 0 before the first text. */
static void pass_bytes(struct transfer_reader *r, size_t len)
{
    if (!len)
        return;
    r->place = text_place_after(r->place, (struct span){r->at + r->from, len});
    r->from += len;
}

/* --- faults ----------------------------------------------------------------------------------- */

static enum transfer_reading wrong_text(struct transfer_reader *r, struct span text, const char *at,
                                        bool of_item, struct transfer_fault *fault)
{
    const char *begin = r->at + r->from;
    struct text_place place = r->place;

    if (at && at > begin)
        place = text_place_after(place, (struct span){begin, (size_t)(at - begin)});
    *fault = (struct transfer_fault){.text = text, .line = place.line, .column = place.column};
    r->broken = !of_item;
    r->wrong_at = at;
    return of_item ? TRANSFER_BAD_ITEM : TRANSFER_BAD_TEXT;
}

/* --- records ---------------------------------------------------------------------------------- */

/* Begins the search for the record at `from`. */
static void begin_frame(struct transfer_reader *r)
{
    r->frame = (struct transfer_frame){.list = r->frame.list, .answer = r->frame.answer};
}

/* Moves to the start of the record that the frame has found. */
static void go_to_record(struct transfer_reader *r)
{
    pass_bytes(r, r->frame.begin);
    r->frame.at -= r->frame.begin;
    r->frame.begin = 0;
}

/* Only after the first text: r->at must not be NULL. */
static struct span unread_text(const struct transfer_reader *r)
{
    return (struct span){r->at + r->from, r->to - r->from};
}

/* The error in a text that is not JSON. */
static const char *json_problem(const struct transfer_reader *r, struct arena *a, struct span text)
{
    const char *problem = NULL;

    if (r->options.by_lines && text.len <= LIMIT_TRANSFER_TEXT)
        problem = transfer_json_fault(a, text, 0);
    return problem ? problem : NO_JSON;
}

/* The record at frame.begin has no end. An error on a line before the last is reported at its
 * place, since an unclosed bracket swallows the rest of the text. */
static enum transfer_reading unfinished_record(struct transfer_reader *r, struct arena *a,
                                               const char *problem, struct transfer_fault *fault)
{
    const char *at = NULL;
    struct span text;

    go_to_record(r);
    text = unread_text(r);
    if (r->format->wrong_at && text.at && text.len && *text.at == '{')
        at = r->format->wrong_at(a, text);
    if (at && memchr(at, '\n', (size_t)(r->at + r->to - at)))
        return wrong_text(r, span_of(json_problem(r, a, text)), at, false, fault);
    return wrong_text(r, span_of(problem), NULL, false, fault);
}

/* The error for a record that is too long, or NULL. Such a record is not parsed. */
static const char *excess_problem(struct arena *a, const struct transfer_frame *f)
{
    size_t len = f->at - f->begin;

    if (len > LIMIT_TRANSFER_RECORD)
        return arena_printf(a, "it has more than %zu MB", LIMIT_TRANSFER_RECORD / LIMIT_MB);
    if (len > LIMIT_TRANSFER_TEXT + f->blanks)
        return arena_printf(a, "it has more than %zu MB besides blanks, more than any item",
                            LIMIT_TRANSFER_TEXT / LIMIT_MB);
    return NULL;
}

/* Reports a record that is too long. A complete one is not read, nor is the text after it. */
static enum transfer_reading too_long(struct transfer_reader *r, struct arena *a, bool whole,
                                      const char *problem, struct transfer_fault *fault)
{
    if (!whole)
        return unfinished_record(r, a, problem, fault);
    go_to_record(r);
    return wrong_text(r, span_of(problem), NULL, false, fault);
}

/* Whether a record may be part of a bad record of an earlier line. Records of Ion have Item, so the
 * question does not arise. */
static bool is_indented(const struct transfer_reader *r)
{
    return r->behind_bad_line && r->place.column > 1 && r->format->wrong_at;
}

/* Searches for the next record. TRANSFER_ITEM: it begins at `from` and has frame.at bytes. */
static enum transfer_reading find_record(struct transfer_reader *r, struct arena *a,
                                         struct transfer_fault *fault)
{
    struct transfer_frame *f = &r->frame;
    enum transfer_framing found = TRANSFER_FRAME_MORE;
    const char *problem;

    if (r->broken)
        return TRANSFER_END;
    if (r->at)
        found = r->format->frame(f, &r->options, unread_text(r), r->last);
    if (found == TRANSFER_FRAME_WRONG) {
        const char *at = unread_text(r).at + f->at;

        f->begin = f->state ? f->begin : f->at;
        go_to_record(r);
        (void)wrong_text(r, span_of(f->problem), f->unclosed ? NULL : at, false, fault);
        r->wrong_at = at;
        return TRANSFER_BAD_TEXT;
    }
    if (found == TRANSFER_FRAME_MORE && r->last) {
        /* The input is at its end and has no more complete record. */
        return r->frame.state ? unfinished_record(r, a, "the text ends within this record", fault)
                              : TRANSFER_END;
    }
    if (found == TRANSFER_FRAME_MORE && !f->state) { /* all of it is blank */
        pass_bytes(r, f->at);
        begin_frame(r);
        return TRANSFER_MORE;
    }
    if ((problem = excess_problem(a, f)))
        return too_long(r, a, found == TRANSFER_FRAME_WHOLE, problem, fault);
    if (found == TRANSFER_FRAME_MORE)
        return TRANSFER_MORE;
    go_to_record(r);
    if (is_indented(r))
        return wrong_text(r, SPAN_LIT("a record must begin in the first column after a bad line"),
                          NULL, false, fault);
    return TRANSFER_ITEM;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* Whether the bad record at `from` ends with its line. If records have several lines, a single line
 * may be a part that looks like a record. The first record ends with its line if its error is on
 * this line, or if another record begins on the next one. */
static bool ends_with_line(const struct transfer_reader *r)
{
    const char *begin = r->at + r->from, *at = r->wrong_at, *feed;

    if (!r->options.by_lines || r->frame.list || r->frame.answer || !r->knows_header)
        return false;
    if (r->layout != NO_RECORD)
        return r->layout == A_LINE_EACH;
    at = at ? at : r->at + r->to;
    assert(begin);
    feed = memchr(begin, '\n', (size_t)(at - begin));
    return !feed || (feed + 1 == at && r->frame.unclosed);
}

/* Whether a record with balanced brackets that is not JSON is the only bad part of the text. In a
 * list or an answer a comma shows that another record follows. */
static bool ends_with_record(const struct transfer_reader *r)
{
    return r->options.by_lines && (r->frame.list || r->frame.answer);
}

/* The error in a line; in JSON the line is examined alone. */
static struct span line_problem(const struct transfer_reader *r, struct arena *a, struct span line)
{
    const char *problem = NULL;

    if (r->format->wrong_at && !is_indented(r) && line.len <= LIMIT_TRANSFER_TEXT)
        problem = transfer_json_fault(a, line, r->place.column);
    return span_of(problem ? problem : arena_text(a, span_of(r->problem)));
}

/* Reports a bad line once the whole line is fed. */
static enum transfer_reading end_line(struct transfer_reader *r, struct arena *a,
                                      struct transfer_fault *fault)
{
    struct span line = unread_text(r);
    const char *feed = line.len > r->looked
                           ? memchr(line.at + r->looked, '\n', line.len - r->looked)
                           : NULL;
    const bool is_long = !feed && line.len > LIMIT_TRANSFER_RECORD;

    if (!feed && !r->last && !is_long) {
        r->looked = line.len;
        return TRANSFER_MORE;
    }
    line.len = feed ? (size_t)(feed - line.at) : line.len;
    *fault = (struct transfer_fault){.text = line_problem(r, a, line),
                                     .line = r->place.line,
                                     .column = r->place.column,
                                     .record = line};
    pass_bytes(r, line.len + (feed != NULL));
    r->frame = (struct transfer_frame){.begin = 0};
    r->looked = 0;
    r->in_bad_line = false;
    r->behind_bad_line = true;
    r->skips_line = is_long;
    r->layout = A_LINE_EACH;
    return TRANSFER_BAD_ITEM;
}

/* Passes over the rest of a line; false if the line's end is not fed yet. */
static bool skip_line(struct transfer_reader *r)
{
    struct span rest = unread_text(r);
    const char *feed = rest.len ? memchr(rest.at, '\n', rest.len) : NULL;

    pass_bytes(r, feed ? (size_t)(feed + 1 - rest.at) : rest.len);
    r->skips_line = !feed;
    return feed;
}

/* Handles text that is not a record: it ends its line or the whole input. */
static enum transfer_reading end_text(struct transfer_reader *r, struct arena *a,
                                      struct transfer_fault *fault)
{
    if (!ends_with_line(r))
        return TRANSFER_BAD_TEXT;
    (void)snprintf(r->problem, MOST_PROBLEM, "%.*s", SPAN_ARG(fault->text));
    r->broken = false;
    r->in_bad_line = true;
    return end_line(r, a, fault);
}

/* Notes the layout after a record that began on this line. */
static void note_layout(struct transfer_reader *r, size_t line)
{
    const bool is_listed = r->frame.list || r->frame.answer;

    r->behind_bad_line = false;
    if (r->place.line != line || is_listed)
        r->layout = SPREAD;
    else if (r->layout == NO_RECORD)
        r->layout = A_LINE_EACH;
}

/* --- items ------------------------------------------------------------------------------------ */

/* Converts the record to JSON and parses it. */
static bool parse_record(struct transfer_reader *r, struct arena *a, struct span text,
                         const wire_node **out, struct transfer_problem *problem)
{
    struct buf json = buf_in(a);
    size_t before = 0;

    if (r->format->read) {
        if (!utf8_valid(text)) {
            *problem = (struct transfer_problem){.text = "this is not UTF-8",
                                                 .at = utf8_valid_end(text)};
            return false;
        }
        bool good = r->format->read(a, &r->options, text, &json, problem);

        r->made = json.len;
        if (!good)
            return false;
        if (json.len > LIMIT_TRANSFER_TEXT) {
            *problem = (struct transfer_problem){.text = ERROR_ITEM_SIZE, .of_item = true};
            return false;
        }
    } else if (r->format->item_at && r->format->item_at(text) == text.at) {
        before = sizeof item_begins - 1;
        buf_add_text(&json, item_begins);
        buf_add_span(&json, text);
        buf_add_char(&json, '}');
    }
    if (!wire_parse_keyed(a, json.len ? buf_span(&json) : text,
                          r->options.key ? r->options.key : siphash_own_key(), out))
        return true;
    *problem = (struct transfer_problem){.text = NO_JSON};
    if (!r->format->read) {
        struct span parsed = json.len ? buf_span(&json) : text;
        const char *at = wire_error_at(a, parsed);

        problem->text = json_problem(r, a, text);
        if (at && at >= parsed.at + before)
            problem->at = text.at + ((size_t)(at - parsed.at) - before);
    }
    return false;
}

static const struct error *read_item(const struct transfer_reader *r, struct arena *a,
                                     const wire_node *object, enum depth depth,
                                     struct transfer_record *record)
{
    const wire_node *item = wire_get(object, "Item");
    const struct error *e;
    const struct transfer_options *o = &r->options;

    record->item = (struct item){.at = NULL};
    record->object = object;
    if ((e = wire_check_types(a, members, object)) || (e = wire_check_members(a, members, object)))
        return e;
    /* Refuses members that would have no effect. Imports of the service ignore them. Formats with a
     * `read` function check this themselves. */
    if (!r->format->read && (o->by_lines || o->has_conditions)) {
        for (const wire_node *n = wire_first(object); n; n = wire_next(n)) {
            struct span name = wire_name(n);
            bool known = span_is(name, members[0].name) ||
                         (o->by_lines &&
                          (span_is(name, "ConsumedCapacity") || span_is(name, "ResponseMetadata")));

            for (size_t i = 1; !known && o->has_conditions && members[i].name; i++)
                known = span_is(name, members[i].name);
            if (!known)
                return error_validation(a, "a record may only have Item%s, but this one has %.*s",
                                        o->has_conditions ? " and its condition" : "",
                                        SPAN_ARG(name));
        }
    }
    record->json = wire_raw(item);
    return depth < WHOLE ? NULL : wire_read_item(a, item, WIRE_LAYER_CURRENT, &record->item);
}

/* The first attribute of an item without a type. */
struct untyped {
    struct span name;
    bool found;
};

static bool see_untyped(void *context, const struct transfer_look_member *m)
{
    struct untyped *u = context;
    enum attr_type type;

    if (m->depth == 1)
        u->name = m->name;
    u->found = m->depth == 1 ? m->value.at[0] != '{' : !attr_type_of_code(m->name, &type);
    return !u->found;
}

/* Explains why a record of DynamoDB's JSON is not an item. */
static struct span item_problem(const struct transfer_reader *r, struct arena *a, struct span text,
                                const struct error *e)
{
    struct untyped u = {.found = false};

    if (r->options.by_lines && r->format->item_at) {
        const char *at = r->format->item_at(text);

        (void)transfer_look(span_from(text, (size_t)(at - text.at)), see_untyped, &u);
    }
    if (u.found)
        return span_of(arena_printf(a, "%.*s" TRANSFER_UNTYPED, SPAN_ARG(u.name)));
    return e->message.len ? e->message : SPAN_LIT("this is not an item");
}

/* Reads the record that find_record has found. */
static enum transfer_reading read_record(struct transfer_reader *r, struct arena *a,
                                         enum depth depth, struct transfer_record *record,
                                         struct transfer_fault *fault)
{
    struct span text = {r->at + r->from, r->frame.at};
    struct transfer_problem problem;
    const wire_node *object;
    const struct error *e;

    record->text = text;
    record->line = r->place.line;
    if (depth == CUT) {
        const char *at = r->format->item_at(record->text);
        size_t before = (size_t)(at - record->text.at);
        size_t end = before ? transfer_look_past_value(record->text, before) : record->text.len;

        /* Cuts the item's text out of the record. */
        end = end <= record->text.len ? end : record->text.len;
        record->item = (struct item){.at = NULL};
        record->object = NULL;
        record->json = (struct span){at, end - before};
        return TRANSFER_ITEM;
    }
    if (!parse_record(r, a, text, &object, &problem))
        return wrong_text(r, span_of(problem.text), problem.at, problem.of_item, fault);
    if (!(e = read_item(r, a, object, depth, record)))
        return TRANSFER_ITEM;
    return wrong_text(r, item_problem(r, a, text, e), NULL, true, fault);
}

static enum transfer_reading read_header(struct transfer_reader *r, struct transfer_fault *fault)
{
    struct transfer_problem problem = {.text = NULL};

    r->knows_header = true;
    if (r->format->read_header(r->arena, &r->options, (struct span){r->at + r->from, r->frame.at},
                               &problem))
        return TRANSFER_ITEM;
    return wrong_text(r, span_of(problem.text), problem.at, false, fault);
}

static enum transfer_reading next_record(struct transfer_reader *r, struct arena *a,
                                         enum depth depth, struct transfer_record *record,
                                         struct transfer_fault *fault)
{
    if (r->in_bad_line)
        return end_line(r, a, fault);
    if (r->skips_line && !skip_line(r))
        return r->last ? TRANSFER_END : TRANSFER_MORE;
    for (;;) {
        enum transfer_reading what = find_record(r, a, fault);
        const bool header = !r->knows_header;
        const size_t line = r->place.line;
        struct span text;

        if (what == TRANSFER_BAD_TEXT)
            return end_text(r, a, fault);
        if (what != TRANSFER_ITEM)
            return what;
        text = (struct span){r->at + r->from, r->frame.at};
        r->made = 0;
        what = header ? read_header(r, fault) : read_record(r, a, depth, record, fault);
        fault->record = text;
        fault->made = r->made;
        if (what == TRANSFER_BAD_TEXT && (header || !ends_with_record(r)))
            return header ? what : end_text(r, a, fault);
        if (what == TRANSFER_BAD_TEXT)
            what = TRANSFER_BAD_ITEM;
        r->broken = false;
        pass_bytes(r, text.len);
        if (!header)
            note_layout(r, line);
        begin_frame(r);
        if (!header)
            return what;
    }
}

enum transfer_reading transfer_reader_next(struct transfer_reader *r, struct arena *a,
                                           struct transfer_record *record,
                                           struct transfer_fault *fault)
{
    return next_record(r, a, WHOLE, record, fault);
}

enum transfer_reading transfer_reader_skip(struct transfer_reader *r, struct arena *a,
                                           struct transfer_record *record,
                                           struct transfer_fault *fault)
{
    return next_record(r, a, PARSED, record, fault);
}

enum transfer_reading transfer_reader_cut(struct transfer_reader *r, struct arena *a,
                                          struct transfer_record *record,
                                          struct transfer_fault *fault)
{
    return next_record(r, a, CUT, record, fault);
}
