#include "explain/explain_limits.h"

#include "explain/explain_entry.h"
#include "explain/explain_expression.h"
#include "explain/explain_trial.h"
#include "model/limits.h"
#include "model/names.h"

/* --- sizes ------------------------------------------------------------------------------------ */

#define LARGEST 3 /* attributes that are named */

static size_t kilobytes(size_t bytes)
{
    return (bytes + LIMIT_KB - 1) / LIMIT_KB;
}

/* "a has 293 KB, b 147 KB": the largest first; those below a tenth of the limit are left out. */
static const char *largest(struct inquiry *q, const struct item *it)
{
    struct buf out = buf_in(q->arena);
    size_t below = SIZE_MAX;

    for (size_t n = 0; n < LARGEST; n++) {
        const struct field *found = NULL;
        size_t size = 0;

        for (size_t i = 0; i < it->len; i++) {
            size_t own = it->at[i].name.len + attr_size(&it->at[i].value);

            if (own > size && own < below) {
                size = own;
                found = &it->at[i];
            }
        }
        if (!found || size < LIMIT_ITEM_BYTES / 10)
            break;
        buf_printf(&out, "%s%.*s %s%zu KB", n ? ", " : "", SPAN_ARG(found->name), n ? "" : "has ",
                   kilobytes(size));
        below = size;
    }
    return buf_text(&out);
}

/* An update: the stored item, and the values that are added to it. */
static void check_update(struct inquiry *q)
{
    struct expr_vars vars = explain_entry_vars(q);
    struct item stored = {.len = 0},
                added = {.at = arena_array(q->arena, vars.value_count + 1, sizeof *added.at)};
    size_t there;

    there = explain_entry_item(q, &stored) ? item_size(&stored) : 0;
    for (size_t i = 0; i < vars.value_count; i++)
        added.at[added.len++] = (struct field){vars.values[i].key, vars.values[i].value};
    if (there + item_size(&added) > LIMIT_ITEM_BYTES)
        inquiry_reason(q, "an item has 400 KB at most: the stored one has %zu KB, and %s",
                       kilobytes(there), largest(q, item_size(&added) > there ? &added : &stored));
}

void explain_limits_size(struct inquiry *q, const struct refusal *r)
{
    struct item it;

    (void)r;
    if (inquiry_read_item(q, wire_get(q->entry, "Item"), &it)) {
        if (item_size(&it) > LIMIT_ITEM_BYTES)
            inquiry_reason(q, "an item has 400 KB at most, this one has %zu KB: %s",
                           kilobytes(item_size(&it)), largest(q, &it));
    } else if (wire_get(q->entry, "UpdateExpression")) {
        check_update(q);
    }
}

/* --- words ------------------------------------------------------------------------------------ */

void explain_limits_returns(struct inquiry *q)
{
    struct span value = wire_text(wire_get(q->call.body, "ReturnValues"));
    int known = names_find(names_return_values, value, -1);
    enum op_form form = q->call.op->form;
    bool updates = form == OP_UPDATE;

    if (!value.at || (!updates && form != OP_PUT && form != OP_DELETE) ||
        (updates ? known >= 0 : known == RETURN_NONE || known == RETURN_ALL_OLD))
        return;
    inquiry_reason(
        q, "%s does not return %.*s: ReturnValues takes %s", q->call.op->name, SPAN_ARG(value),
        updates ? "NONE, ALL_OLD, ALL_NEW, UPDATED_OLD and UPDATED_NEW" : "NONE and ALL_OLD");
    explain_expression_propose_text(q, "ReturnValues",
                                    updates ? SPAN_LIT("ALL_NEW") : SPAN_LIT("ALL_OLD"));
}

/* Two entries of a batch or a transaction that are about one item. */
void explain_limits_twice(struct inquiry *q, const struct refusal *r)
{
    bool reads = q->call.op->access == OP_READS, batch = wire_get(q->call.body, "Statements");
    bool states = batch || wire_get(q->call.body, "TransactStatements");
    size_t first = r->why->count, second = (size_t)r->why->found;

    if (r->why->operand.len)
        inquiry_reason(q, "%s %zu and %zu of %.*s are the same item", reads ? "keys" : "writes",
                       first, second, SPAN_ARG(r->why->operand));
    else
        inquiry_reason(q, "%s %zu and %zu are about the same item: %s",
                       states ? "statements" : "actions", first, second,
                       batch   ? "send them apart"
                       : reads ? "a transaction reads it once"
                               : "what is asked of it goes into one Update, its condition with it");
}

/* More entries than fit into one request. */
void explain_limits_many(struct inquiry *q, const struct refusal *r)
{
    inquiry_reason(q, "%.*s has %zu entries: at most %.*s fit into one %s",
                   SPAN_ARG(r->why->operand), r->why->count, SPAN_ARG(r->why->beside),
                   q->call.op->name);
}

/* A member that takes other words than it was given. */
void explain_limits_word(struct inquiry *q, const struct refusal *r)
{
    struct span given = wire_text(wire_get_span(q->call.body, r->why->operand));

    explain_limits_returns(q);
    inquiry_reason(q, "%.*s does not take %s: write one of %.*s", SPAN_ARG(r->why->operand),
                   given.at ? inquiry_text(q, given) : "that", SPAN_ARG(r->why->beside));
}
