/* format_printed.c: items in DynamoDB's JSON, in the forms that tools print and people write.
 *
 *     {"pk": {"S": "a"}}                        items: written in this form, one a line
 *     {"Item": {"pk": {"S": "a"}}, …}           exports and answers of GetItem
 *     [{"pk": {"S": "a"}}, …]                   lists of either
 *     {"Count": 1, "Items": [{"pk": …}], …}     answers of Scan and Query, also in a list
 *
 * A text may have several of these, one after another. */
#include "model/item_codec.h"
#include "ops/transfer/transfer_frame.h"
#include "ops/transfer/transfer_look.h"
#include "wire/wire_body.h"

/* An object has begun; more text is needed to tell what it is. */
#define UNSURE 100

/* frame.answer behind the items of an answer; other values are places in a list (transfer_frame.h).
 */
#define REST 100

/* --- answers ---------------------------------------------------------------------------------- */

enum guess { NOTHING_YET, AN_ITEM, AN_ANSWER };

struct guess_state {
    enum guess guess;
    size_t list; /* bytes after the list's bracket */
};

/* "Items" with a list means an answer; a value with a type means an item. */
static bool guess_member(void *context, const struct transfer_look_member *m)
{
    struct guess_state *g = context;
    enum attr_type type;
    bool is_answer = m->depth == 1 && m->value.at[0] == '[' && span_is(m->name, "Items");
    bool is_item = m->depth == 1 ? m->value.at[0] == '{' && span_is(m->name, "Item")
                                 : attr_type_of_code(m->name, &type);

    g->list = m->value.len - 1;
    g->guess = is_answer ? AN_ANSWER : is_item ? AN_ITEM : NOTHING_YET;
    return g->guess == NOTHING_YET;
}

static enum transfer_framing see_more(struct transfer_frame *f, struct span text)
{
    f->begin = f->at;
    f->at = f->looked = text.len;
    f->state = UNSURE;
    return TRANSFER_FRAME_MORE;
}

/* Handles the start of an object: moves to the items of an answer. WHOLE: it is not an answer. */
static enum transfer_framing enter_object(struct transfer_frame *f, struct span text)
{
    struct guess_state g = {.guess = NOTHING_YET};
    size_t len = transfer_look(span_from(text, f->at), guess_member, &g);

    if (g.guess == NOTHING_YET && !len && !transfer_look_past_value(text, f->at))
        return see_more(f, text);
    if (g.guess != AN_ANSWER)
        return TRANSFER_FRAME_WHOLE;
    f->at = text.len - g.list;
    f->answer = TRANSFER_FRAME_FIRST;
    return TRANSFER_FRAME_MORE;
}

/* Passes a member or comma after an answer's items, or the answer's end. */
static enum transfer_framing pass_rest(struct transfer_frame *f, struct span text)
{
    char c = text.at[f->at];
    size_t end = f->at + 1;

    if (c == '}') {
        f->answer = TRANSFER_FRAME_NO_LIST;
        f->list = f->list ? TRANSFER_FRAME_BEHIND : TRANSFER_FRAME_NO_LIST;
    } else if (c == '"') {
        end = transfer_look_past_member(text, f->at);
    } else if (c != ',') {
        return transfer_frame_wrong(f, "expected a member or } after the items of an answer");
    }
    if (!end)
        return see_more(f, text);
    if (end == TRANSFER_LOOK_BROKEN)
        return transfer_frame_wrong(f, "expected a member or } after the items of an answer");
    f->at = end;
    return TRANSFER_FRAME_WHOLE;
}

/* --- records ---------------------------------------------------------------------------------- */

/* Moves to the start of the next record. WHOLE: a record should begin here. */
static enum transfer_framing find_record(struct transfer_frame *f, struct span text, bool last)
{
    enum transfer_framing found;

    for (;;) {
        int *place = f->answer ? &f->answer : &f->list;

        f->at = transfer_look_past_blanks(text, f->at);
        if (f->at == text.len)
            return last && *place ? transfer_frame_wrong(f, TRANSFER_FRAME_OPEN)
                                  : TRANSFER_FRAME_MORE;
        if (f->answer == REST) {
            if ((found = pass_rest(f, text)) != TRANSFER_FRAME_WHOLE)
                return found;
        } else if (transfer_frame_step(place, text.at[f->at])) {
            f->at++;
            if (place == &f->answer && !f->answer)
                f->answer = REST;
        } else if (*place == TRANSFER_FRAME_BEHIND) {
            return transfer_frame_wrong(f, TRANSFER_FRAME_NO_COMMA);
        } else if (f->answer || text.at[f->at] != '{') {
            return TRANSFER_FRAME_WHOLE;
        } else if ((found = enter_object(f, text)) != TRANSFER_FRAME_MORE || f->state) {
            return found;
        }
    }
}

static enum transfer_framing frame_printed(struct transfer_frame *f,
                                           const struct transfer_options *options, struct span text,
                                           bool last)
{
    enum transfer_framing found;

    if (f->state == UNSURE) {
        /* Each look reads the whole text, so wait until it has doubled. */
        if (!last && text.len < 2 * f->looked) {
            f->at = text.len;
            return TRANSFER_FRAME_MORE;
        }
        f->at = f->begin;
        f->state = 0;
    }
    if (!f->state && (found = find_record(f, text, last)) != TRANSFER_FRAME_WHOLE)
        return found;
    found = transfer_frame_json(f, options, text, last);
    if (found == TRANSFER_FRAME_WHOLE && f->answer)
        f->answer = TRANSFER_FRAME_BEHIND;
    else if (found == TRANSFER_FRAME_WHOLE && f->list)
        f->list = TRANSFER_FRAME_BEHIND;
    return found;
}

/* --- items ------------------------------------------------------------------------------------ */

/* The member "Item" of a record. It is either the item, or an attribute of this name with its type.
 */
struct item_member {
    const char *at; /* NULL: not found */
    bool open, is_item;
    size_t members; /* in it */
};

static bool see_item(void *context, const struct transfer_look_member *m)
{
    struct item_member *i = context;
    enum attr_type type;

    if (m->depth == 1) {
        i->open = span_is(m->name, "Item") && m->value.at[0] == '{';
        if (i->open)
            i->at = m->value.at;
        return true;
    }
    if (!i->open) /* within another member */
        return !attr_type_of_code(m->name, &type);
    i->is_item = i->members++ || !transfer_look_is_typed(m);
    return !i->is_item;
}

static const char *item_at(struct span record)
{
    struct item_member item = {.at = NULL};

    (void)transfer_look(record, see_item, &item);
    return item.at && (item.is_item || !item.members) ? item.at : record.at;
}

/* --- writing ---------------------------------------------------------------------------------- */

static void write_item(struct arena *a, struct buf *out, const struct transfer_options *options,
                       const struct item *it)
{
    (void)a;
    (void)options;
    item_encode(out, it);
    buf_add_char(out, '\n');
}

static void write_stored(struct buf *out, const struct transfer_options *options,
                         struct span stored)
{
    (void)options;
    buf_add_span(out, stored);
    buf_add_char(out, '\n');
}

const struct transfer_format transfer_format_printed = {
    .name = "printed DynamoDB JSON",
    .ending = ".json",
    .frame = frame_printed,
    .wrong_at = wire_error_at,
    .item_at = item_at,
    .write = write_item,
    .write_stored = write_stored,
};
