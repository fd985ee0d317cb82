#include "explain/explain_empty.h"

#include "explain/explain_filter.h"
#include "explain/explain_partition.h"
#include "explain/explain_parts.h"
#include "explain/explain_rows.h"
#include "explain/explain_sort.h"
#include "explain/explain_sparse.h"
#include "explain/explain_trial.h"

#include <inttypes.h>

#define SWAPPED_LOOKED_AT 500 /* sort keys */

static bool is_there(struct inquiry *q, const struct target *target)
{
    struct store_range range = target->plan.page.range;
    struct cursor *cursor;
    struct store_row row;
    bool found;

    range.keys_only = true;
    if (!inquiry_may_read(q) || cursor_open(q->call.unit, &range, &cursor))
        return true; /* nothing is known */
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
        explain_sparse_empty(q, r);
    else
        inquiry_reason(q, "%.*s has no items", SPAN_ARG(r->table->name));
    return true;
}

/* Each part of a key has the other one's value. */
static bool are_swapped(struct inquiry *q, const struct target *target, const struct rows *r,
                        const struct expr_key_clause *hash)
{
    const struct key_schema *keys = explain_rows_keys(r);
    const struct expr_key_clause *sort;
    struct values values;
    struct field fields[2];
    struct item key = {.at = fields, .len = 2};

    if (target->plan.key.len != 2)
        return false;
    sort = &target->plan.key.at[hash == target->plan.key.at];
    if (sort->op != EXPR_EQ || hash->low.type != ATTR_S || sort->low.type != ATTR_S)
        return false;
    values = explain_rows_sort_values(q, r, &sort->low, &hash->low, SWAPPED_LOOKED_AT);
    for (size_t i = 0; i < values.len; i++) {
        if (!attr_equal(&values.at[i], &hash->low))
            continue;
        fields[0] = (struct field){keys->hash[0].name, sort->low};
        fields[1] = (struct field){keys->range[0].name, hash->low};
        inquiry_reason(q, "%.*s and %.*s are swapped: there is an item with %.*s %s",
                       SPAN_ARG(hash->attribute), SPAN_ARG(sort->attribute),
                       SPAN_ARG(hash->attribute), inquiry_value(q, &sort->low));
        if (wire_get(q->call.body, "Key"))
            explain_trial_propose_members(
                q, (struct trial_member[]){{"Key", explain_trial_json_item(q, &key)}}, 1);
        return true;
    }
    return false;
}

/* A read of which not even the key was found, taken by itself. */
static void explain_target_key(struct inquiry *q, const struct target *target)
{
    const struct read_page *page = &target->plan.page;
    struct rows r = {page->table, page->index};
    const struct expr_key_clause *hash = target->plan.key.len ? target->plan.key.at : NULL;

    if (is_bare(q, &r) || !hash)
        return;
    if (explain_rows_keys(&r)->hash_count != 1) {
        explain_parts(q, &r, &target->plan.key);
        return;
    }
    for (size_t i = 1; i < target->plan.key.len; i++) /* clauses are in written order */
        if (span_equal(target->plan.key.at[i].attribute, explain_rows_keys(&r)->hash[0].name))
            hash = &target->plan.key.at[i];
    if (are_swapped(q, target, &r, hash))
        return;
    if (!explain_rows_count(q, &r, &hash->low, 1))
        explain_partition(q, &r, hash);
    else if (explain_rows_keys(&r)->range_count > 1)
        explain_parts(q, &r, &target->plan.key);
    else if (target->plan.key.len == 2)
        explain_sort(q, &r, hash, &target->plan.key.at[hash == target->plan.key.at]);
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
    q->reason = span_of(arena_printf(q->arena, "%zu of %zu keys %s not there: %.*s", missing,
                                     targets->count, missing == 1 ? "is" : "are",
                                     SPAN_ARG(q->reason)));
}

/* A read that continues from a start key, or takes one segment of several: nothing is left there.
 */
static bool is_part_of(struct inquiry *q, const struct target *target)
{
    const struct read_page *page = &target->plan.page;
    const struct rows r = {page->table, page->index};
    const char *place = inquiry_place(q, r.table, r.index);
    int64_t entries = store_stats(q->call.store, explain_rows_space(&r)).entries;
    const wire_node *segments = wire_get(q->call.body, "TotalSegments");

    if (wire_get(q->call.body, "ExclusiveStartKey") || wire_get(q->call.body, "NextToken")) {
        inquiry_reason(q, "nothing follows the start key: all pages were read");
        return true;
    }
    if (!segments || wire_integer(segments, 1) <= 1 || !entries)
        return false;
    inquiry_reason(q,
                   "none of the %s of %s are in segment %" PRId64 " of %" PRId64
                   ": segments count from 0, and all of them together are the whole",
                   inquiry_count(q, (size_t)entries, "item"), place,
                   wire_integer(wire_get(q->call.body, "Segment"), 0), wire_integer(segments, 1));
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
        explain_filter(q, &targets.at[0]);
    else if (!q->facts.more && !is_part_of(q, &targets.at[0]))
        explain_target_key(q, &targets.at[0]);
}
