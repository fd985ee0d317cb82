#include "explain/explain_empty.h"

#include "explain/explain_elsewhere.h"
#include "explain/explain_filter.h"
#include "explain/explain_missing.h"
#include "explain/say.h"

static bool is_there(struct inquiry *q, const struct target *target)
{
    struct store_range range = target->plan.page.range;
    struct cursor *cursor;
    struct store_row row;
    bool found;

    range.keys_only = true;
    if (!inquiry_may_read(q))
        return true; /* nothing is known */
    cursor = cursor_open(q->call.unit, range);
    found = cursor_next(cursor, &row) || row.found;
    cursor_close(cursor);
    return found;
}

/* Nothing at all is where the read looked. */
static bool is_bare(struct inquiry *q, const struct rows *r)
{
    if (store_stats(q->call.store, explain_rows_space(r)).entries)
        return false;
    if (r->index && store_stats(q->call.store, r->table->space).entries)
        explain_elsewhere_no_entries(q, r);
    else
        say_why(q, "% has no items", r->table);
    return true;
}

/* A read of which not even the key was found, taken by itself. */
static void explain_target_key(struct inquiry *q, const struct target *target)
{
    struct rows r = {target->plan.page.table, target->plan.page.index};

    if (!is_bare(q, &r))
        explain_missing(q, &r, &target->plan.key);
}

bool explain_empty_item(struct inquiry *q, const struct target *target)
{
    if (is_there(q, target))
        return true;
    explain_target_key(q, target);
    return false;
}

/* Some keys of a batch are not there. */
static void explain_batch(struct inquiry *q, const struct targets *targets)
{
    size_t missing = 0;

    for (size_t i = 0; i < targets->count; i++) {
        if (is_there(q, &targets->at[i]))
            continue;
        if (!missing++)
            explain_target_key(q, &targets->at[i]);
    }
    if (!missing || !q->reason.len)
        return;
    q->reason = say_text_span(q, "% of % keys % not there: %", missing, targets->count,
                              missing == 1 ? "is" : "are", q->reason);
}

/* A read that continues from a start key, or takes one segment of several: nothing is left there.
 */
static bool is_part_of(struct inquiry *q, const struct target *target)
{
    const struct read_page *page = &target->plan.page;
    const struct rows r = {page->table, page->index};
    int64_t entries = store_stats(q->call.store, explain_rows_space(&r)).entries;
    int64_t segments = wire_integer(wire_get(q->call.body, "TotalSegments"), 1);

    if (wire_get(q->call.body, "ExclusiveStartKey") || wire_get(q->call.body, "NextToken")) {
        say_why(q, "nothing follows the start key: all pages were read");
        return true;
    }
    if (segments <= 1 || !entries)
        return false;
    say_why(q,
            "none of the % of % are in segment % of %: segments count from 0, and all of them "
            "together are the whole",
            say_count((size_t)entries, "item"), say_place(r.table, r.index),
            wire_integer(wire_get(q->call.body, "Segment"), 0), segments);
    return true;
}

void explain_empty(struct inquiry *q)
{
    struct targets targets = explain_read_targets(q);

    if (!targets.count)
        return;
    if (targets.count > 1 && targets.at[0].one_item)
        explain_batch(q, &targets);
    else if (q->facts.returned)
        return;
    else if (q->facts.read)
        explain_filter(q, &targets);
    else if (!q->facts.more && !is_part_of(q, &targets.at[0]))
        explain_target_key(q, &targets.at[0]);
}
