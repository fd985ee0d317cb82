#include "explain/explain_read.h"

#include "expr/expr_print.h"
#include "model/item_codec.h"
#include "model/limits.h"

#define COUNTING_PERCENT \
    35 /* of the budget, for each of the two counts: values are sampled after them */

/* --- the key in words ------------------------------------------------------------------------- */

static const char *const words_of_op[] = {
    [EXPR_EQ] = "= ",         [EXPR_NE] = "<> ",
    [EXPR_LT] = "before ",    [EXPR_LE] = "up to ",
    [EXPR_GT] = "after ",     [EXPR_GE] = "from ",
    [EXPR_BETWEEN] = "from ", [EXPR_BEGINS_WITH] = "beginning with ",
};

/* Partition and range of a key condition. */
static const char *key_words(struct inquiry *q, const struct expr_key *key)
{
    struct buf out = buf_in(q->arena);

    for (size_t i = 0; i < key->len; i++) {
        const struct expr_key_clause *clause = &key->at[i];

        if (clause->op >= COUNT(words_of_op) || !words_of_op[clause->op])
            continue;
        buf_printf(&out, "%s%.*s %s", i ? " and " : "", SPAN_ARG(clause->attribute),
                   words_of_op[clause->op]);
        expr_print_value(&out, &clause->low);
        if (clause->op == EXPR_BETWEEN) {
            buf_add_text(&out, " to ");
            expr_print_value(&out, &clause->high);
        }
    }
    return key->len ? buf_text(&out) : "all of it";
}

static const char *range_words(struct inquiry *q, const struct targets *targets)
{
    struct buf out = buf_in(q->arena);

    if (targets->count == 1) {
        buf_add_text(&out, key_words(q, &targets->at[0].plan.key));
        if (targets->at[0].plan.page.range.backwards)
            buf_add_text(&out, ", backwards");
    } else {
        buf_printf(&out, "%zu %s", targets->count, targets->at[0].one_item ? "keys" : "ranges");
    }
    return buf_text(&out);
}

/* --- what the accounts say -------------------------------------------------------------------- */

static struct span names_of_tables(struct inquiry *q)
{
    struct buf out = buf_in(q->arena);

    for (const struct capacity *used = q->record->accounts; used; used = used->next) {
        if (out.len)
            buf_add_text(&out, ", ");
        buf_add_span(&out, used->table->name);
    }
    return buf_span(&out);
}

/* Whether the reply ends before what was asked for does. */
static bool has_more(struct inquiry *q)
{
    const wire_node *reply;

    if (wire_parse(q->arena, q->record->reply, &reply))
        return false;
    return wire_get(reply, "LastEvaluatedKey") || wire_get(reply, "NextToken") ||
           wire_count(wire_get(reply, "UnprocessedKeys"));
}

static void note_accounts(struct inquiry *q, const struct targets *targets)
{
    struct facts *f = &q->facts;
    const struct index *ix = targets->at[0].plan.page.index;

    f->table = names_of_tables(q);
    if (ix)
        f->index = ix->name;
    f->range = span_of(range_words(q, targets));
    for (const struct capacity *used = q->record->accounts; used; used = used->next) {
        f->read += used->items_read;
        f->returned += used->items_returned;
        f->pages += used->pages;
        f->bytes += used->bytes_read;
        f->units += capacity_total(used);
    }
    f->more = has_more(q);
    f->all_units = f->more ? -1 : f->units;
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

static void keep_counted(struct inquiry *q, const struct expr_parts *parts, struct removed *removed)
{
    q->facts.removed = removed;
    for (size_t i = 0; i < parts->len; i++) {
        struct buf clause = buf_in(q->arena);
        struct removed *kept = &removed[q->facts.removed_count];

        if (!removed[i].items)
            continue;
        kept->items = removed[i].items;
        expr_print_condition(&clause, parts->at[i]);
        kept->clause = buf_span(&clause);
        kept->part = parts->at[i];
        q->facts.removed_count++;
    }
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
    keep_counted(q, &f.parts, removed);
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
