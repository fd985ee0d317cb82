#include "ops/transfer/transfer_reader.h"

#include "base/utf8.h"
#include "model/limits.h"
#include "ops/transfer/transfer_look.h"
#include "wire/wire_attr.h"
#include "wire/wire_shape.h"

#include <stdlib.h>

#define FIRST_ROOM ((size_t)64 * 1024)

#define NO_JSON "this is no JSON in UTF-8"

static const char item_begins[] = "{\"Item\":";

/* How far a record is looked into. */
enum depth { CUT, PARSED, WHOLE };

/* What a record may have. The condition is of bulk put's. */
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
    char *at;            /* what was fed and not read: from … to */
    size_t from, to, room;
    bool last, broken;
    bool knows_header;
    struct transfer_frame frame; /* of what begins at `from` */
    size_t line, column;         /* of `from` */
    size_t made;                 /* JSON, of the record at hand */
};

struct transfer_reader *transfer_reader_new(const struct transfer_format *f,
                                            const struct transfer_options *options)
{
    struct transfer_reader *r = calloc(1, sizeof *r);

    if (!r)
        process_out_of_memory();
    r->format = f;
    r->options = *options;
    r->arena = arena_new();
    r->knows_header = !f->read_header || options->header_count;
    r->line = r->column = 1;
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
    r->line = line;
    r->column = column;
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

/* Goes on behind so many bytes; before the first text, none. */
static void pass(struct transfer_reader *r, size_t len)
{
    const char *at, *end, *feed;

    if (!len)
        return;
    at = r->at + r->from;
    end = at + len;
    while (at < end && (feed = memchr(at, '\n', (size_t)(end - at)))) {
        r->line++;
        r->column = 1;
        at = feed + 1;
    }
    r->column += (size_t)(end - at);
    r->from += len;
}

/* --- faults ----------------------------------------------------------------------------------- */

static enum transfer_reading wrong(struct transfer_reader *r, struct span text, const char *at,
                                   bool of_item, struct transfer_fault *fault)
{
    *fault = (struct transfer_fault){.text = text, .line = r->line, .column = r->column};
    if (at) {
        const char *begin = r->at + r->from;

        for (; begin < at; begin++) {
            fault->column++;
            if (*begin == '\n') {
                fault->line++;
                fault->column = 1;
            }
        }
    }
    r->broken = !of_item;
    return of_item ? TRANSFER_BAD_ITEM : TRANSFER_BAD_TEXT;
}

/* --- records ---------------------------------------------------------------------------------- */

/* What begins at `from` is looked for. */
static void begin_frame(struct transfer_reader *r)
{
    r->frame = (struct transfer_frame){.list = r->frame.list, .answer = r->frame.answer};
}

/* There is a text: r->at is not NULL. */
static struct span unread(const struct transfer_reader *r)
{
    return (struct span){r->at + r->from, r->to - r->from};
}

/* The record that begins at frame.begin has no end. Where it is wrong on a line before the last,
 * that is where it is reported: one bracket that is not closed takes all that follows. */
static enum transfer_reading unfinished(struct transfer_reader *r, struct arena *a,
                                        const char *problem, struct transfer_fault *fault)
{
    const char *at = NULL;
    struct span text;

    pass(r, r->frame.begin);
    text = unread(r);
    if (r->format->wrong_at && text.at && text.len && *text.at == '{')
        at = r->format->wrong_at(a, text);
    if (at && memchr(at, '\n', (size_t)(r->at + r->to - at)))
        return wrong(r, SPAN_LIT(NO_JSON), at, false, fault);
    return wrong(r, span_of(problem), NULL, false, fault);
}

/* No more text comes, and no record ends in what there is. */
static enum transfer_reading end(struct transfer_reader *r, struct arena *a,
                                 struct transfer_fault *fault)
{
    return r->frame.state ? unfinished(r, a, "the text ends within this record", fault)
                          : TRANSFER_END;
}

/* What a record has too much of; NULL: nothing. A text that is too long is not parsed. */
static const char *excess(struct arena *a, const struct transfer_frame *f)
{
    size_t len = f->at - f->begin;

    if (len > LIMIT_TRANSFER_RECORD)
        return arena_printf(a, "it has more than %zu MB", LIMIT_TRANSFER_RECORD / LIMIT_MB);
    if (len > LIMIT_TRANSFER_TEXT + f->blanks)
        return arena_printf(a, "it has more than %zu MB besides blanks, and no item has as much",
                            LIMIT_TRANSFER_TEXT / LIMIT_MB);
    return NULL;
}

/* A whole one is not looked into, nor what stands behind it. */
static enum transfer_reading too_long(struct transfer_reader *r, struct arena *a, bool whole,
                                      const char *problem, struct transfer_fault *fault)
{
    if (!whole)
        return unfinished(r, a, problem, fault);
    pass(r, r->frame.begin);
    return wrong(r, span_of(problem), NULL, false, fault);
}

/* Looks for the next record, which then begins at `from` and has frame.at bytes; TRANSFER_ITEM
 * where there is one. */
static enum transfer_reading find(struct transfer_reader *r, struct arena *a,
                                  struct transfer_fault *fault)
{
    struct transfer_frame *f = &r->frame;
    enum transfer_framing found = TRANSFER_FRAME_MORE;
    const char *problem;

    if (r->broken)
        return TRANSFER_END;
    if (r->at)
        found = r->format->frame(f, &r->options, unread(r), r->last);
    if (found == TRANSFER_FRAME_WRONG)
        return wrong(r, span_of(f->problem), unread(r).at + f->at, false, fault);
    if (found == TRANSFER_FRAME_MORE && r->last)
        return end(r, a, fault);
    if (found == TRANSFER_FRAME_MORE && !f->state) { /* all of it is blank */
        pass(r, f->at);
        begin_frame(r);
        return TRANSFER_MORE;
    }
    if ((problem = excess(a, f)))
        return too_long(r, a, found == TRANSFER_FRAME_WHOLE, problem, fault);
    if (found == TRANSFER_FRAME_MORE)
        return TRANSFER_MORE;
    pass(r, f->begin);
    f->at -= f->begin;
    return TRANSFER_ITEM;
}

/* --- items ------------------------------------------------------------------------------------ */

/* The record as JSON, parsed. */
static bool parse(struct transfer_reader *r, struct arena *a, struct span text,
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
        const char *at = wire_error_place(a, parsed);

        if (at && at >= parsed.at + before)
            problem->at = text.at + ((size_t)(at - parsed.at) - before);
    }
    return false;
}

static const struct error *read_item(struct arena *a, const wire_node *object, enum depth depth,
                                     struct transfer_record *record)
{
    const wire_node *item = wire_get(object, "Item");
    const struct error *e;

    record->item = (struct item){.at = NULL};
    record->object = object;
    if ((e = wire_check_types(a, members, object)) || (e = wire_check_members(a, members, object)))
        return e;
    record->json = wire_raw(item);
    return depth < WHOLE ? NULL : wire_read_item(a, item, WIRE_LAYER_CURRENT, &record->item);
}

/* The item as it stands in the record. */
static void cut_item(const struct transfer_reader *r, struct transfer_record *record)
{
    const char *at = r->format->item_at(record->text);
    size_t before = (size_t)(at - record->text.at);
    size_t end = before ? transfer_look_past_value(record->text, before) : record->text.len;

    record->item = (struct item){.at = NULL};
    record->object = NULL;
    record->json = (struct span){at, end - before};
}

/* The record is a whole one. */
static enum transfer_reading read_record(struct transfer_reader *r, struct arena *a,
                                         enum depth depth, struct transfer_record *record,
                                         struct transfer_fault *fault)
{
    struct span text = {r->at + r->from, r->frame.at};
    struct transfer_problem problem;
    const wire_node *object;
    const struct error *e;

    record->text = text;
    record->line = r->line;
    if (depth == CUT) {
        cut_item(r, record);
        return TRANSFER_ITEM;
    }
    if (!parse(r, a, text, &object, &problem))
        return wrong(r, span_of(problem.text), problem.at, problem.of_item, fault);
    if (!(e = read_item(a, object, depth, record)))
        return TRANSFER_ITEM;
    return wrong(r, e->message.len ? e->message : SPAN_LIT("this is no item"), NULL, true, fault);
}

static enum transfer_reading read_header(struct transfer_reader *r, struct transfer_fault *fault)
{
    struct transfer_problem problem = {.text = NULL};

    r->knows_header = true;
    if (r->format->read_header(r->arena, &r->options, (struct span){r->at + r->from, r->frame.at},
                               &problem))
        return TRANSFER_ITEM;
    return wrong(r, span_of(problem.text), problem.at, false, fault);
}

static enum transfer_reading next(struct transfer_reader *r, struct arena *a, enum depth depth,
                                  struct transfer_record *record, struct transfer_fault *fault)
{
    for (;;) {
        enum transfer_reading what = find(r, a, fault);
        bool header = !r->knows_header;
        struct span text;

        if (what != TRANSFER_ITEM)
            return what;
        text = (struct span){r->at + r->from, r->frame.at};
        r->made = 0;
        what = header ? read_header(r, fault) : read_record(r, a, depth, record, fault);
        fault->record = text;
        fault->made = r->made;
        if (what == TRANSFER_BAD_TEXT)
            return what;
        pass(r, text.len);
        begin_frame(r);
        if (!header)
            return what;
    }
}

enum transfer_reading transfer_reader_next(struct transfer_reader *r, struct arena *a,
                                           struct transfer_record *record,
                                           struct transfer_fault *fault)
{
    return next(r, a, WHOLE, record, fault);
}

enum transfer_reading transfer_reader_skip(struct transfer_reader *r, struct arena *a,
                                           struct transfer_record *record,
                                           struct transfer_fault *fault)
{
    return next(r, a, PARSED, record, fault);
}

enum transfer_reading transfer_reader_cut(struct transfer_reader *r, struct arena *a,
                                          struct transfer_record *record,
                                          struct transfer_fault *fault)
{
    return next(r, a, CUT, record, fault);
}
