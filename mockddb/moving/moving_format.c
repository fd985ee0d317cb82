#include "moving/moving_format.h"

#include "ops/transfer/transfer_frame.h"

/* The frame's state where an object has begun of which it is not known yet whether it is an answer.
 */
#define UNSURE 100

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static size_t skip_blanks(struct span text, size_t at)
{
    while (at < text.len && is_blank(text.at[at]))
        at++;
    return at;
}

/* Behind the string that begins there; 0 where it does not end. */
static size_t past_string(struct span text, size_t at)
{
    for (at++; at < text.len; at++) {
        if (text.at[at] == '"')
            return at + 1;
        if (text.at[at] == '\\')
            at++;
    }
    return 0;
}

/* Behind the value that begins there; 0 where it does not end in the text. */
static size_t past_value(struct span text, size_t at)
{
    size_t depth = 0;

    while (at < text.len) {
        char c = text.at[at];

        if (c == '"') {
            if (!(at = past_string(text, at)))
                return 0;
        } else {
            if (!depth && (c == ',' || c == '}' || c == ']' || is_blank(c)))
                return at;
            depth += c == '{' || c == '[';
            depth -= depth && (c == '}' || c == ']');
            at++;
            if (depth || !(c == '}' || c == ']'))
                continue;
        }
        if (!depth)
            return at;
    }
    return 0;
}

/* --- looking into an object ------------------------------------------------------------------- */

/* A name with its colon at a place; the place of its value, 0 where there is none. */
static size_t take_name(struct span text, size_t at, struct span *name)
{
    size_t end = past_string(text, at);

    if (!end)
        return 0;
    *name = (struct span){text.at + at + 1, end - at - 2};
    end = skip_blanks(text, end);
    if (end >= text.len || text.at[end] != ':')
        return 0;
    end = skip_blanks(text, end + 1);
    return end < text.len ? end : 0;
}

size_t moving_format_look(struct span text,
                          bool (*see)(void *context, const struct moving_format_member *m),
                          void *context)
{
    size_t depth = 0, at = 0;

    while (at < text.len) {
        struct moving_format_member m = {.depth = depth};
        char c = text.at[at];

        if (c == '{') {
            depth++;
            at++;
        } else if (c == '}') {
            at++;
            if (--depth == 0)
                return at;
        } else if (c == '"') {
            if (!(at = take_name(text, at, &m.name)))
                return 0;
            m.value = span_from(text, at);
            if (!see(context, &m))
                return 0;
            if (depth < 2 && text.at[at] == '{')
                continue;
            if (!(at = past_value(text, at)))
                return 0;
        } else if (c == ',' || is_blank(c)) {
            at++;
        } else {
            return 0;
        }
    }
    return 0;
}

/* --- lists ------------------------------------------------------------------------------------ */

static enum transfer_framing frame_list(struct transfer_frame *f,
                                        const struct transfer_options *options, struct span text,
                                        bool last)
{
    if (f->state == 0)
        while (f->at < text.len &&
               (is_blank(text.at[f->at]) || span_has(SPAN_LIT("[,]"), text.at[f->at])))
            f->at++;
    return transfer_frame_json(f, options, text, last);
}

/* --- answers ---------------------------------------------------------------------------------- */

enum guess { NOTHING_YET, AN_ITEM, AN_ANSWER };

struct guessing {
    enum guess guess;
    size_t list; /* bytes behind the list's bracket */
};

/* "Items" with a list is an answer's; a value with a type is an item's. */
static bool guess(void *context, const struct moving_format_member *m)
{
    struct guessing *g = context;
    enum attr_type type;

    if (m->depth == 1 && m->value.at[0] == '[') {
        g->guess = span_is(m->name, "Items") ? AN_ANSWER : AN_ITEM;
        g->list = m->value.len - 1;
    } else if (m->depth == 2 && attr_type_of_code(m->name, &type)) {
        g->guess = AN_ITEM;
    }
    return g->guess == NOTHING_YET;
}

/* What stands between items: commas, ends of lists, and what answers have behind them. Stops at the
 * beginning of an object that is no member's value; or at what does not end in the text. */
static void skip_between(struct transfer_frame *f, struct span text)
{
    while (f->at < text.len && text.at[f->at] != '{') {
        size_t end = f->at + 1;

        if (text.at[f->at] == '"')
            end = past_string(text, f->at);
        else if (text.at[f->at] == ':')
            end = past_value(text, skip_blanks(text, f->at + 1));
        if (!end)
            return;
        f->at = end;
    }
}

static enum transfer_framing frame_answer(struct transfer_frame *f,
                                          const struct transfer_options *options, struct span text,
                                          bool last)
{
    if (f->state && f->state != UNSURE)
        return transfer_frame_json(f, options, text, last);
    if (f->state == UNSURE)
        *f = (struct transfer_frame){.at = f->begin};
    for (;;) {
        struct guessing g = {.guess = NOTHING_YET};
        size_t len;

        skip_between(f, text);
        if (f->at == text.len || text.at[f->at] != '{')
            return TRANSFER_FRAME_MORE;
        len = moving_format_look(span_from(text, f->at), guess, &g);
        if (g.guess == AN_ITEM)
            return transfer_frame_json(f, options, text, last);
        if (g.guess == NOTHING_YET && !len) {
            f->begin = f->at;
            f->at = text.len;
            f->state = UNSURE;
            return TRANSFER_FRAME_MORE;
        }
        f->at = g.guess == AN_ANSWER ? text.len - g.list : f->at + len;
    }
}

/* --- the formats ------------------------------------------------------------------------------ */

static bool read_plain(struct arena *a, const struct transfer_options *options, struct span record,
                       struct buf *json, struct transfer_problem *problem)
{
    return transfer_format_jsonl.read(a, options, record, json, problem);
}

const struct transfer_format moving_format_dynamodb = {
    .name = "DynamoDB JSON", .ending = ".json", .frame = frame_list};

const struct transfer_format moving_format_answers = {
    .name = "answers of Scan or Query", .ending = ".json", .frame = frame_answer};

const struct transfer_format moving_format_plain = {
    .name = "plain JSON", .ending = ".json", .frame = frame_list, .read = read_plain};
