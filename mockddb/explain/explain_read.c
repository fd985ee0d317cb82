#include "explain/explain_find.h"

#include "explain/say.h"
#include "expr/expr_print.h"
#include "model/item_codec.h"
#include "model/limits.h"

#define COUNTING_PERCENT \
    35 /* of the budget, for each of the two counts: values are sampled after them */

/* --- what the accounts say -------------------------------------------------------------------- */

/* Partition and range of the key, and the direction; of several keys or ranges their number. */
static const char *range_words(struct inquiry *q, const struct targets *targets)
{
    const struct expr_key *key = &targets->at[0].plan.key;
    struct buf out = buf_in(q->arena);

    if (targets->count > 1)
        return say_text(q, "% %", targets->count, targets->at[0].one_item ? "keys" : "ranges");
    for (size_t i = 0; i < key->len; i++) {
        const struct expr_key_clause *c = &key->at[i];

        if (c->op == EXPR_EQ)
            say_add(&out, "%% = %", i ? " and " : "", c->attribute, &c->low);
        else if (c->op <= EXPR_BEGINS_WITH && c->op != EXPR_IN)
            say_add(&out, "%%", i ? " and " : "", c);
    }
    return say_text(q, "%%", key->len ? buf_text(&out) : "all of it",
                    targets->at[0].plan.page.range.backwards ? ", backwards" : "");
}

static void note_accounts(struct inquiry *q, const struct targets *targets)
{
    const struct index *ix = targets->at[0].plan.page.index;
    struct inquiry_use use = inquiry_used(q->record);
    struct buf tables = buf_in(q->arena);
    bool more = inquiry_has_more(q, q->record->reply);

    for (const struct capacity *used = q->record->accounts; used; used = used->next)
        say_add(&tables, "%%", tables.len ? ", " : "", used->table);
    q->facts = (struct facts){.table = buf_span(&tables),
                              .range = span_of(range_words(q, targets)),
                              .read = use.read,
                              .returned = use.returned,
                              .pages = use.pages,
                              .bytes = use.bytes,
                              .units = use.units,
                              .more = more,
                              .all_units = more ? -1 : use.units};
    if (ix)
        q->facts.index = ix->name;
}

/* --- what the filter took away ---------------------------------------------------------------- */

/* What a filter is run on. */
struct filtered {
    const struct read_page *page;
    struct expr_parts parts;
    struct span *names; /* that it reads */
    size_t name_count;
};

static void count_row(struct inquiry *q, const struct filtered *f, const struct store_row *row,
                      struct removed *removed)
{
    struct arena_mark before = arena_mark(q->arena);
    struct item it = item_decode_only(q->arena, row->body, f->names, f->name_count);

    if (f->page->index)
        it = schema_project(q->arena, f->page->table, f->page->index, &it);
    for (size_t i = 0; i < f->parts.len; i++)
        if (!expr_matches(f->parts.at[i], &it)) {
            removed[i].items++;
            break;
        }
    arena_release(q->arena, before);
}

static void count_removed(struct inquiry *q, const struct targets *targets)
{
    const struct read_page *page = &targets->at[0].plan.page;
    struct filtered f = {.page = page, .parts = expr_condition_parts(q->arena, page->filter)};
    struct removed *removed = arena_array(q->arena, f.parts.len + 1, sizeof *removed);
    size_t left = q->facts.read;
    struct inquiry_share share;

    if (!f.parts.len || q->facts.returned == q->facts.read)
        return;
    expr_condition_names(q->arena, page->filter, &f.names, &f.name_count);
    share = inquiry_begin_share(q, COUNTING_PERCENT);
    for (size_t i = 0; i < targets->count && left; i++) {
        struct cursor *cursor = cursor_open(q->call.unit, targets->at[i].plan.page.range);
        struct store_row row;

        while (left && inquiry_may_read(q) && !cursor_next(cursor, &row) && row.found) {
            count_row(q, &f, &row, removed);
            left--;
        }
        cursor_close(cursor);
    }
    inquiry_end_share(q, &share);
    q->facts.counted = q->facts.read - left;
    q->facts.removed = removed;
    for (size_t i = 0; i < f.parts.len; i++)
        if (removed[i].items)
            removed[q->facts.removed_count++] = (struct removed){
                say_text_span(q, "%", f.parts.at[i]), f.parts.at[i], removed[i].items};
}

/* --- what all pages would take ---------------------------------------------------------------- */

static void count_pages(struct inquiry *q, const struct read_page *page)
{
    double units = 0, factor = page->consistent ? 1 : 0.5;
    struct store_range range = page->range;
    struct cursor *cursor;
    struct store_row row = {.found = true};
    size_t bytes = 0;
    int64_t items = 0;
    struct inquiry_share share;

    range.keys_only = true;
    cursor = cursor_open(q->call.unit, range);
    share = inquiry_begin_share(q, COUNTING_PERCENT);
    while (inquiry_may_read(q) && !cursor_next(cursor, &row) && row.found) {
        bytes += row.size;
        if (bytes < LIMIT_PAGE_BYTES && ++items != page->limit)
            continue;
        units += capacity_read_units(bytes) * factor;
        bytes = 0;
        items = 0;
    }
    cursor_close(cursor);
    inquiry_end_share(q, &share);
    if (!row.found)
        q->facts.all_units = units + capacity_read_units(bytes) * factor;
}

/* --- all -------------------------------------------------------------------------------------- */

struct targets explain_read(struct inquiry *q)
{
    struct targets targets = explain_read_targets(q);

    if (!targets.count)
        return targets;
    note_accounts(q, &targets);
    q->has_facts = true;
    count_removed(q, &targets);
    if (q->facts.more && targets.count == 1)
        count_pages(q, &targets.at[0].plan.page);
    return targets;
}
