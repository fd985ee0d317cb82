#include "explain/explain_cause.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "explain/explain_entry.h"
#include "explain/explain_trial.h"
#include "explain/say.h"
#include "model/limits.h"
#include "model/num.h"

#define LARGEST    3   /* attributes that are named */
#define JSON_SHOWN 40  /* bytes of a value of another type … */
#define TEXT_SHOWN 120 /* … and of a text without its type */

/* --- sizes ------------------------------------------------------------------------------------ */

#define WHOLE_SIZE "an item has 400 KB at most, with its names and its entries in local indexes"

static size_t kilobytes(size_t bytes)
{
    return (bytes + LIMIT_KB - 1) / LIMIT_KB;
}

/* "a has 293 KB, b 147 KB": the largest first; those below a tenth of the limit are left out. */
static const char *largest_words(struct inquiry *q, const struct item *it)
{
    struct buf out = buf_in(q->arena);
    size_t below = SIZE_MAX;

    for (size_t n = 0; n < LARGEST; n++) {
        struct span name = {NULL, 0};
        size_t size = LIMIT_ITEM_BYTES / 10 - 1;

        for (size_t i = 0; i < it->len; i++) {
            size_t own = it->at[i].name.len + attr_size(&it->at[i].value);

            if (own > size && own < below) {
                size = own;
                name = it->at[i].name;
            }
        }
        if (!name.at)
            break;
        say_add(&out, "%% %% KB", n ? ", " : "", name, n ? "" : "has ", kilobytes(size));
        below = size;
    }
    return buf_text(&out);
}

void explain_value_size(struct inquiry *q, const struct refusal *r)
{
    struct expr_vars vars = explain_entry_vars(q);
    struct item it, stored = {.len = 0},
                    added = {.at = arena_array(q->arena, vars.value_count + 1, sizeof *added.at)};
    const struct table *t;
    size_t there;

    (void)r;
    if (inquiry_read_item(q, wire_get(q->entry, "Item"), &it) && item_size(&it) > LIMIT_ITEM_BYTES)
        say_why(q, "an item has 400 KB at most, this one has % KB: %", kilobytes(item_size(&it)),
                largest_words(q, &it));
    /* An update: the stored item, and the values that are added to it. */
    if (!wire_get(q->entry, "UpdateExpression") || !explain_entry_key(q, q->entry, &t, &it)) {
        say_why(q, WHOLE_SIZE);
        return;
    }
    there = explain_entry_stored(q, t, &it, &stored) ? item_size(&stored) : 0;
    for (size_t i = 0; i < vars.value_count; i++)
        added.at[added.len++] = (struct field){vars.values[i].key, vars.values[i].value};
    if (there + item_size(&added) > LIMIT_ITEM_BYTES)
        say_why(q, "an item has 400 KB at most: the stored one has % KB, and %", kilobytes(there),
                largest_words(q, item_size(&added) > there ? &added : &stored));
    say_why(q, WHOLE_SIZE);
}

/* --- words ------------------------------------------------------------------------------------ */

/* Whether the action of this number, counted from 1, is a ConditionCheck. */
static bool is_checked(struct inquiry *q, size_t number)
{
    const wire_node *n = wire_first(wire_get(q->call.body, "TransactItems"));

    while (n && --number)
        n = wire_next(n);
    return n && wire_get(n, "ConditionCheck");
}

/* Two entries of a batch or a transaction that are about one item. */
void explain_value_twice(struct inquiry *q, const struct refusal *r)
{
    bool reads = q->call.op->access == OP_READS, batch = wire_get(q->call.body, "Statements");
    bool states = batch || wire_get(q->call.body, "TransactStatements");
    size_t first = r->why->count, second = (size_t)r->why->found;

    if (r->why->operand.len)
        say_why(q, "% % and % of % are the same item: send it once", reads ? "keys" : "writes",
                first, second, r->why->operand);
    else if (is_checked(q, first) || is_checked(q, second))
        say_why(q,
                "actions % and % are about the same item: leave out the ConditionCheck, and give "
                "its ConditionExpression to the other action",
                first, second);
    else
        say_why(q, "% % and % are about the same item: %", states ? "statements" : "actions", first,
                second,
                batch   ? "send them apart"
                : reads ? "a transaction reads it once"
                        : "what is asked of it goes into one Update, its condition with it");
}

/* A member that takes other words than it was given. */
void explain_value_word(struct inquiry *q, const struct refusal *r)
{
    struct span given = wire_text(wire_get_span(q->call.body, r->why->operand));
    bool updates = q->call.op->form == OP_UPDATE;

    if (!span_is(r->why->operand, "ReturnValues")) {
        say_why(q, "% does not take %: write one of %", r->why->operand, r->why->place,
                r->why->beside);
        return;
    }
    say_why(q, "% does not return %: ReturnValues takes %", q->call.op->name, given,
            updates ? "NONE, ALL_OLD, ALL_NEW, UPDATED_OLD and UPDATED_NEW" : "NONE and ALL_OLD");
    explain_trial_propose_text(q, "ReturnValues",
                               updates ? SPAN_LIT("ALL_NEW") : SPAN_LIT("ALL_OLD"));
}

/* --- numbers ---------------------------------------------------------------------------------- */

void explain_value_number(struct inquiry *q, const struct refusal *r)
{
    struct span name = r->why->beside, text = r->why->operand;
    char *with_point = arena_text(q->arena, text);
    const char *comma = span_find(text, ',');
    size_t commas = 0;
    struct num number;

    for (size_t i = 0; i < text.len; i++) {
        commas += text.at[i] == ',';
        with_point[i] = (char)(text.at[i] == ',' ? '.' : text.at[i]);
    }
    if (commas == 1 && span_end(text) - comma == 4) /* 1,000 */
        say_why(q,
                "% is %, which is not a number: write no sign between thousands, and a point "
                "before a fraction",
                name, say_quoted(text));
    else if (commas == 1 && num_parse(span_of(with_point), false, &number) == NUM_OK)
        say_why(q, "% is %, which is not a number: write it with a point, \"%\"", name,
                say_quoted(text), with_point);
    else
        say_why(q,
                "% is %, which is not a number: a number has at most 38 digits, a sign and a point",
                name, say_quoted(text));
}

/* How many values an older operator takes. */
void explain_value_older_count(struct inquiry *q, const struct refusal *r)
{
    struct span op = r->why->beside;
    const char *takes = span_is(op, "BETWEEN")                           ? "two values"
                        : span_is(op, "IN")                              ? "one value or more"
                        : span_is(op, "NULL") || span_is(op, "NOT_NULL") ? "no value"
                                                                         : "one value";

    say_why(q, "% of % takes %, here it has %", op, r->why->operand, takes, r->why->count);
}

/* The type of a value that an older operator or action is given. */
void explain_value_older_type(struct inquiry *q, const struct refusal *r)
{
    struct span op = r->why->beside;

    say_why(q, "% of % does not take %: it takes %", op, r->why->operand,
            (enum attr_type)r->why->found,
            span_is(op, "ADD")      ? "a number or a set"
            : span_is(op, "DELETE") ? "a set"
            : span_is(op, "IN")     ? "S, N or B, each value by itself"
                                    : "S, N or B");
}

/* --- plain values ----------------------------------------------------------------------------- */

/* A value of JSON with its type: {"S": "a"} */
static const char *typed_json(struct inquiry *q, struct span json)
{
    switch (*json.at) {
    case '"':
        return json.len > TEXT_SHOWN ? "{\"S\": …}" : say_text(q, "{\"S\": %}", json);
    case 't':
    case 'f':
        return say_text(q, "{\"BOOL\": %}", json);
    case '[':
        return "{\"L\": [...]}";
    default:
        return say_text(q, "{\"N\": \"%\"}", json);
    }
}

void explain_value_json(struct inquiry *q, const struct refusal *r)
{
    struct span sent = r->why->place, name = r->why->operand, taken = r->why->beside;
    const char *more = sent.len > JSON_SHOWN ? "…" : "";
    bool is_number = *sent.at == '-' || ascii_is_digit(*sent.at);

    if (span_starts_with(taken, SPAN_LIT("a value with its type")))
        say_why(q,
                "% is a plain value: write it with its type, %; only document clients take plain "
                "values",
                name, typed_json(q, sent));
    else if (r->why->wanted == ATTR_N && is_number)
        say_why(q, "% is a number without quotes: write its digits as a string, %", name,
                typed_json(q, sent));
    else
        say_why(q, "% is %%: it takes %", name, utf8_cut(sent, JSON_SHOWN), more, taken);
}
