#include "explain/explain_advice.h"

#include "explain/explain_near.h"
#include "explain/explain_rows.h"
#include "explain/explain_trial.h"
#include "expr/expr_print.h"
#include "model/item_codec.h"
#include "ops/capacity.h"

#include <inttypes.h>

#define EXPIRY_LOOKED_AT    50 /* items */
#define PROJECTED_LOOKED_AT 50

/* --- which key a filter could be -------------------------------------------------------------- */

/* The part of a condition that compares this attribute so that a key condition can say it. */
static bool find_clause(const struct expr_parts *parts, struct span name, bool is_hash,
                        struct expr_comparison *out)
{
    for (size_t i = 0; i < parts->len; i++) {
        if (!expr_as_comparison(parts->at[i], out) || out->path->len != 1 || !out->value ||
            !span_equal(out->path->at[0].name, name))
            continue;
        if (out->op == EXPR_EQ)
            return true;
        if (!is_hash && ((out->op >= EXPR_LT && out->op <= EXPR_BETWEEN) ||
                         (out->op == EXPR_BEGINS_WITH && out->value->type == ATTR_S)))
            return true;
    }
    return false;
}

/* --- the mended Query ------------------------------------------------------------------------- */

/* Expressions under names of our own: #k0 = :k0. */
struct draft {
    struct inquiry *q;
    struct buf names, values; /* members of the two maps */
    size_t count;
};

static void add_member(struct buf *out, const char *mark, size_t number, struct span json)
{
    buf_printf(out, "%s\"%sk%zu\":", out->len ? "," : "", mark, number);
    buf_add_span(out, json);
}

static void add_value(struct draft *d, struct buf *text, const struct attr *value)
{
    struct buf json = buf_in(d->q->arena);

    attr_encode(&json, value);
    add_member(&d->values, ":", d->count, buf_span(&json));
    buf_printf(text, ":k%zu", d->count++);
}

static void add_comparison(struct draft *d, struct buf *text, const struct expr_comparison *one)
{
    static const char *const forms[] = {
        [EXPR_EQ] = " = ", [EXPR_LT] = " < ",  [EXPR_LE] = " <= ",
        [EXPR_GT] = " > ", [EXPR_GE] = " >= ", [EXPR_BETWEEN] = " BETWEEN ",
    };
    struct span name = one->path->at[0].name;
    bool prefix = one->op == EXPR_BEGINS_WITH;

    if (text->len)
        buf_add_text(text, " AND ");
    if (prefix)
        buf_add_text(text, "begins_with(");
    if (expr_is_reserved(name)) {
        add_member(&d->names, "#", d->count, explain_trial_json_text(d->q, name));
        buf_printf(text, "#k%zu", d->count);
    } else {
        buf_add_span(text, name);
    }
    buf_add_text(text, prefix ? ", " : forms[one->op]);
    add_value(d, text, one->value);
    if (one->op == EXPR_BETWEEN) {
        buf_add_text(text, " AND ");
        add_value(d, text, one->second);
    }
    if (prefix)
        buf_add_char(text, ')');
}

static struct span closed(struct buf *members)
{
    struct buf out = buf_in(members->arena);

    if (!members->len)
        return (struct span){"", 0};
    buf_add_char(&out, '{');
    buf_add_span(&out, buf_span(members));
    buf_add_char(&out, '}');
    return buf_span(&out);
}

/* A Query by these clauses; the rest of the filter stays, where it is made of comparisons. */
static bool propose(struct inquiry *q, const struct read_page *page, const struct index *ix,
                    const struct expr_comparison *key, size_t count, struct proposal *out)
{
    struct expr_parts parts = expr_condition_parts(q->arena, page->filter);
    struct draft d = {.q = q, .names = buf_in(q->arena), .values = buf_in(q->arena)};
    struct buf text = buf_in(q->arena), filter = buf_in(q->arena);
    struct expr_comparison one;

    for (size_t i = 0; i < count; i++)
        add_comparison(&d, &text, &key[i]);
    for (size_t i = 0; i < parts.len; i++) {
        bool taken = false;

        if (!expr_as_comparison(parts.at[i], &one) || one.path->len != 1 || !one.value ||
            one.op > EXPR_BEGINS_WITH || one.op == EXPR_NE || one.op == EXPR_IN)
            return false;
        for (size_t k = 0; k < count; k++)
            taken = taken || one.path == key[k].path;
        if (!taken)
            add_comparison(&d, &filter, &one);
    }
    return explain_trial_propose(
        q, "Query",
        explain_trial_with_members(
            q,
            (struct trial_member[]){
                {"TableName", explain_trial_json_text(q, page->table->name)},
                {"IndexName", ix ? explain_trial_json_text(q, ix->name) : (struct span){"", 0}},
                {"KeyConditionExpression", explain_trial_json_text(q, buf_span(&text))},
                {"FilterExpression",
                 filter.len ? explain_trial_json_text(q, buf_span(&filter)) : (struct span){"", 0}},
                {"ExpressionAttributeNames", closed(&d.names)},
                {"ExpressionAttributeValues", closed(&d.values)},
                {"Statement", {"", 0}},
                {"Parameters", {"", 0}},
                {"Segment", {"", 0}},
                {"TotalSegments", {"", 0}},
                {"Limit", {"", 0}},
            },
            11),
        out);
}

/* --- hints ------------------------------------------------------------------------------------ */

/* Whether a Query of the table or index could say part of the filter in its key condition. */
static bool suits(const struct expr_parts *parts, const struct key_schema *keys,
                  struct expr_comparison *key, size_t *count)
{
    *count = 0;
    if (keys->hash_count != 1 || !find_clause(parts, keys->hash[0].name, true, &key[0]) ||
        key[0].value->type != keys->hash[0].type)
        return false;
    *count = 1;
    if (keys->range_count == 1 && find_clause(parts, keys->range[0].name, false, &key[1]) &&
        key[1].value->type == keys->range[0].type)
        *count = 2;
    return true;
}

/* An access pattern that answers what was asked in another way; tried where it is a Query. */
static bool pattern_answers(struct inquiry *q, const struct read_page *page)
{
    struct expr_parts parts = expr_condition_parts(q->arena, page->filter);
    const struct catalogue_step *answer = q->match.answer;
    const struct index *ix = NULL;
    struct expr_comparison key[2];
    struct proposal p;
    struct hint *hint;
    size_t count;

    if (!answer)
        return false;
    if (answer->shape.index.len && !(ix = schema_find_index(page->table, answer->shape.index)))
        return false;
    if (!suits(&parts, ix ? &ix->keys : &page->table->keys, key, &count) ||
        !propose(q, page, ix, key, count, &p) || p.count < q->facts.returned) {
        inquiry_hint(q, ADVICE_HINT, "access-pattern", "%s", answer->hint);
        return true;
    }
    hint = inquiry_hint(q, ADVICE_HINT, "access-pattern", "%s, in %s instead of %s units",
                        answer->hint, inquiry_units(q, p.units), inquiry_units(q, q->facts.units));
    hint->proposal = p;
    return true;
}

/* What another request takes, where that is less. */
static const char *saving(struct inquiry *q, const struct proposal *p)
{
    return p->units < q->facts.units
               ? arena_printf(q->arena, ", in %s instead of %s units", inquiry_units(q, p->units),
                              inquiry_units(q, q->facts.units))
               : "";
}

/* A Scan that the table's key or an index answers. */
static bool scan_has_index(struct inquiry *q, const struct read_page *page)
{
    struct expr_parts parts = expr_condition_parts(q->arena, page->filter);
    const struct table *t = page->table;
    struct expr_comparison key[2];
    size_t count;

    for (size_t i = 0; i <= t->index_count; i++) {
        const struct index *ix = i ? &t->indexes[i - 1] : NULL;
        struct proposal p;
        struct hint *hint;

        if (!suits(&parts, ix ? &ix->keys : &t->keys, key, &count) ||
            !propose(q, page, ix, key, count, &p))
            continue;
        hint = inquiry_hint(q, ADVICE_HINT, "scan-has-index",
                            "a Scan of %zu items for %zu: %s answers this by %.*s%s", q->facts.read,
                            q->facts.returned, inquiry_place(q, t, ix),
                            SPAN_ARG(key[0].path->at[0].name), saving(q, &p));
        hint->proposal = p;
        return true;
    }
    return false;
}

/* What the first item that passes has for this attribute. */
static bool find_common(struct inquiry *q, const struct target *target, struct span name,
                        struct attr *out)
{
    const struct read_page *page = &target->plan.page;
    const struct attr *value = NULL;
    struct cursor *cursor;
    struct store_row row;

    if (cursor_open(q->call.unit, &page->range, &cursor))
        return false;
    while (!value && inquiry_may_read(q) && !cursor_next(cursor, &row) && row.found) {
        struct item it = item_decode(q->arena, arena_span(q->arena, row.body));

        if (!expr_matches(page->filter, &it))
            continue;
        if (!(value = item_find(&it, name)))
            break;
    }
    cursor_close(cursor);
    if (value)
        *out = *value;
    return value != NULL;
}

/* A Query whose filter is on the sort key of an index, if the partition's items share a partition
 * of that index. */
static bool filter_is_sort_key(struct inquiry *q, const struct target *target)
{
    const struct read_page *page = &target->plan.page;
    struct expr_parts parts = expr_condition_parts(q->arena, page->filter);
    const struct table *t = page->table;
    struct path_step step = {.is_index = false};
    struct path path = {&step, 1};
    struct attr hash;
    struct expr_comparison key[2] = {{.path = &path, .op = EXPR_EQ, .value = &hash}};

    if (!q->facts.returned || page->count_only)
        return false;
    for (size_t i = 0; i < t->index_count; i++) {
        const struct index *ix = &t->indexes[i];
        struct proposal p;
        struct hint *hint;

        if (ix == page->index || ix->keys.hash_count != 1 || ix->keys.range_count != 1 ||
            !find_clause(&parts, ix->keys.range[0].name, false, &key[1]) ||
            !find_common(q, target, ix->keys.hash[0].name, &hash))
            continue;
        step.name = ix->keys.hash[0].name;
        if (!propose(q, page, ix, key, 2, &p) || p.count != q->facts.returned)
            continue;
        hint = inquiry_hint(q, ADVICE_HINT, "filter-is-sort-key",
                            "%zu read, %zu removed by the filter: %.*s is the sort key of %.*s, "
                            "where nothing is read in vain",
                            q->facts.read, q->facts.read - q->facts.returned,
                            SPAN_ARG(ix->keys.range[0].name), SPAN_ARG(ix->name));
        hint->proposal = p;
        return true;
    }
    return false;
}

/* Part of what was read was thrown away, and the page ended by the Limit. */
static void limit_before_filter(struct inquiry *q, const struct read_page *page)
{
    if (page->limit && q->facts.more && q->facts.returned && q->facts.returned < q->facts.read &&
        (size_t)page->limit == q->facts.read)
        inquiry_hint(q, ADVICE_HINT, "limit-before-filter",
                     "Limit counts items read, not items returned: %zu read, %zu passed the "
                     "filter; go on from LastEvaluatedKey for the rest",
                     q->facts.read, q->facts.returned);
}

/* An index read that has to get its items from the table. */
static void index_fetches(struct inquiry *q, const struct read_page *page)
{
    const struct capacity *used = q->record->accounts;

    if (page->index && !page->index->global && used && used->table_units > 0)
        inquiry_hint(q, ADVICE_HINT, "index-fetches",
                     "%.*s does not hold all that is asked for: each item is read from the table "
                     "as well, %s of %s units",
                     SPAN_ARG(page->index->name), inquiry_units(q, used->table_units),
                     inquiry_units(q, q->facts.units));
}

static void keys_only_index(struct inquiry *q, const struct read_page *page)
{
    if (page->index && page->index->projection == PROJECT_KEYS_ONLY && q->facts.returned &&
        !page->count_only && !page->projection)
        inquiry_hint(q, ADVICE_NOTE, "keys-only-index",
                     "%.*s holds the keys only: a GetItem with %s gives the rest of an item",
                     SPAN_ARG(page->index->name), inquiry_schema(q, &page->table->keys));
}

static void consistent_costs(struct inquiry *q, const struct read_page *page)
{
    if (page->consistent && q->facts.units >= 1)
        inquiry_hint(q, ADVICE_NOTE, "consistent-costs-double",
                     "a strongly consistent read costs %s units instead of %s; it is needed only "
                     "right after a write",
                     inquiry_units(q, q->facts.units), inquiry_units(q, q->facts.units / 2));
}

static void projection_saves_nothing(struct inquiry *q, const struct read_page *page)
{
    const wire_node *body = q->call.body;
    bool projects = page->projection || wire_get(body, "ProjectionExpression") ||
                    wire_get(body, "AttributesToGet");

    if (projects && q->facts.returned && q->facts.units > 0.5)
        inquiry_hint(q, ADVICE_NOTE, "projection-saves-no-unit",
                     "the projection makes the answer shorter and saves no unit: items are read "
                     "whole");
}

/* A name of the projection that none of the items has. */
struct projected {
    struct span name;
    size_t have;      /* items that have it */
    struct span near; /* an attribute that is called nearly so */
};

static bool look_for_projected(struct inquiry *q, const struct item *it, void *data)
{
    struct projected *p = data;

    for (size_t i = 0; i < it->len; i++) {
        p->have += span_equal(it->at[i].name, p->name);
        if (!p->near.at && explain_near_names(q, p->name, it->at[i].name))
            p->near = it->at[i].name;
    }
    return p->have != 0;
}

static void projected_in_vain(struct inquiry *q, const struct read_page *page)
{
    for (size_t i = 0; page->projection && q->facts.returned && i < page->projection->len; i++) {
        struct projected p = {.name = page->projection->paths[i].at[0].name};

        if (explain_rows_find(q, &page->range, PROJECTED_LOOKED_AT, look_for_projected, &p))
            continue;
        inquiry_hint(q, ADVICE_NOTE, "projected-in-vain", "none of the items has %.*s%s%.*s",
                     SPAN_ARG(p.name), p.near.at ? ", they have " : "", SPAN_ARG(p.near));
        return;
    }
}

/* Items that the service would have been free to delete. */
struct expired {
    const struct read_page *page;
    struct attr now; /* seconds since 1970 */
    size_t count;
};

static bool look_at_expiry(struct inquiry *q, const struct item *it, void *data)
{
    struct expired *x = data;
    const struct attr *due = item_find(it, x->page->table->ttl_attribute);

    (void)q;
    if (due && due->type == ATTR_N && expr_matches(x->page->filter, it))
        x->count += attr_compare(due, &x->now) < 0;
    return false;
}

static void expired_items(struct inquiry *q, const struct read_page *page)
{
    struct expired x = {.page = page, .now.type = ATTR_N};

    if (!page->table->ttl_attribute.len || !q->facts.returned ||
        op_keeps_items(q->call.settings, page->table->name))
        return;
    x.now.bytes = span_of(arena_printf(q->arena, "%" PRId64, clock_now_ms(q->call.clock) / 1000));
    (void)explain_rows_find(q, &page->range, EXPIRY_LOOKED_AT, look_at_expiry, &x);
    if (x.count)
        inquiry_hint(q, ADVICE_NOTE, "expired-items",
                     "%s of those returned: %.*s is over by this world's clock; the service keeps "
                     "such items for hours or days, a filter of %.*s > now leaves them out",
                     inquiry_count(q, x.count, "item"), SPAN_ARG(page->table->ttl_attribute),
                     SPAN_ARG(page->table->ttl_attribute));
}

static const char *key_names(struct inquiry *q, const struct key_schema *keys)
{
    struct span names[LIMIT_KEY_PARTS];

    for (size_t i = 0; i < keys->hash_count; i++)
        names[i] = keys->hash[i].name;
    return inquiry_names(q, names, keys->hash_count);
}

/* A SELECT whose WHERE leads to no partition. */
static void statement_scans(struct inquiry *q, const struct target *target)
{
    const struct read_page *page = &target->plan.page;
    const struct key_schema *keys = page->index ? &page->index->keys : &page->table->keys;

    if (wire_get(q->call.body, "Statement") && page->filter && !target->one_item &&
        !target->plan.key.len && q->facts.units > 0.5 && q->facts.returned)
        inquiry_hint(q, ADVICE_HINT, "statement-scans",
                     "WHERE does not ask for %s by = or IN: all of %s is read, %zu for %zu",
                     key_names(q, keys), inquiry_place(q, page->table, page->index), q->facts.read,
                     q->facts.returned);
}

void explain_advice_give(struct inquiry *q, const struct targets *targets)
{
    const struct target *target = &targets->at[0];
    const struct read_page *page = &target->plan.page;

    if (targets->count == 1 && pattern_answers(q, page)) {
        /* one hint for one cause */
    } else if (targets->count == 1 && page->filter) {
        bool removed = q->facts.returned < q->facts.read;
        bool found = removed && (target->plan.key.len ? filter_is_sort_key(q, target)
                                                      : scan_has_index(q, page));

        if (!found && removed)
            limit_before_filter(q, page);
        if (!found)
            statement_scans(q, target);
    }
    index_fetches(q, page);
    keys_only_index(q, page);
    consistent_costs(q, page);
    projection_saves_nothing(q, page);
    projected_in_vain(q, page);
    expired_items(q, page);
}

void explain_advice_pattern(struct inquiry *q)
{
    if (q->match.answer)
        inquiry_hint(q, ADVICE_NOTE, "access-pattern", "%s", q->match.answer->hint);
}
