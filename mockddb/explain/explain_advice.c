#include "explain/explain_advice.h"

#include "explain/explain_near.h"
#include "explain/explain_rows.h"
#include "explain/explain_same.h"
#include "explain/explain_trial.h"
#include "expr/expr_print.h"
#include "model/item_codec.h"
#include "ops/capacity.h"

#include <inttypes.h>
#include <math.h>

#define EXPIRY_LOOKED_AT    50 /* items */
#define PROJECTED_LOOKED_AT 50

/* --- what the request asks for -----------------------------------------------------------------
 */

#define CONDITIONS 24

/* The conditions of a read: those of its key, then those of its filter. */
struct conditions {
    struct expr_comparison at[CONDITIONS];
    size_t len;
};

/* False: one of them is no comparison, or they are too many; a rewrite could lose it. */
static bool read_conditions(struct inquiry *q, const struct target *target, struct conditions *out)
{
    const struct expr_key *key = &target->plan.key;
    struct expr_parts parts = expr_condition_parts(q->arena, target->plan.page.filter);

    out->len = 0;
    if (key->len + parts.len > CONDITIONS)
        return false;
    /* A SELECT has the key in its WHERE as well. */
    for (size_t i = 0; i < key->len && !wire_get(q->call.body, "Statement"); i++) {
        const struct expr_key_clause *clause = &key->at[i];
        struct path_step *step = arena_alloc(q->arena, sizeof *step);
        struct path *path = arena_alloc(q->arena, sizeof *path);

        *step = (struct path_step){.name = clause->attribute};
        *path = (struct path){step, 1};
        out->at[out->len++] = (struct expr_comparison){
            .path = path,
            .op = clause->op,
            .value = &clause->low,
            .second = clause->op == EXPR_BETWEEN ? &clause->high : NULL,
        };
    }
    for (size_t i = 0; i < parts.len; i++) {
        struct expr_comparison *one = &out->at[out->len++];

        if (!expr_as_comparison(parts.at[i], one) || one->path->len != 1 || !one->value ||
            one->op > EXPR_BEGINS_WITH || one->op == EXPR_NE || one->op == EXPR_IN)
            return false;
    }
    return true;
}

/* The comparison of this attribute that a key condition can have; CONDITIONS: no condition does. */
static size_t find_condition(const struct conditions *all, const struct key_part *part,
                             bool is_hash)
{
    for (size_t i = 0; i < all->len; i++) {
        const struct expr_comparison *one = &all->at[i];
        bool ranged = (one->op >= EXPR_LT && one->op <= EXPR_BETWEEN) ||
                      (one->op == EXPR_BEGINS_WITH && one->value->type == ATTR_S);

        if (span_equal(one->path->at[0].name, part->name) && one->value->type == part->type &&
            (one->op == EXPR_EQ || (!is_hash && ranged)))
            return i;
    }
    return CONDITIONS;
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

/* What the request shows, as a ProjectionExpression; empty: all of it. False: parts of attributes.
 */
static bool add_projection(struct draft *d, const struct read_page *page, struct span *out)
{
    struct buf text = buf_in(d->q->arena);

    *out = (struct span){"", 0};
    for (size_t i = 0; page->projection && i < page->projection->len; i++) {
        const struct path *path = &page->projection->paths[i];

        if (path->len != 1)
            return false;
        add_member(&d->names, "#", d->count, explain_trial_json_text(d->q, path->at[0].name));
        buf_printf(&text, "%s#k%zu", text.len ? ", " : "", d->count++);
    }
    if (text.len)
        *out = explain_trial_json_text(d->q, buf_span(&text));
    return true;
}

/* A Query of the table or index with the request's own conditions, `key` of them in its key
 * condition and the rest in its filter. */
static bool propose(struct inquiry *q, const struct read_page *page, const struct index *ix,
                    const struct conditions *all, const size_t *key, struct proposal *out)
{
    struct draft d = {.q = q, .names = buf_in(q->arena), .values = buf_in(q->arena)};
    struct buf text = buf_in(q->arena), filter = buf_in(q->arena);
    struct span shown;

    for (size_t i = 0; i < 2; i++)
        if (key[i] < all->len)
            add_comparison(&d, &text, &all->at[key[i]]);
    for (size_t i = 0; i < all->len; i++)
        if (i != key[0] && i != key[1])
            add_comparison(&d, &filter, &all->at[i]);
    return add_projection(&d, page, &shown) &&
           explain_trial_propose(
               q, "Query",
               explain_trial_with_members(
                   q,
                   (struct trial_member[]){
                       {"TableName", explain_trial_json_text(q, page->table->name)},
                       {"IndexName",
                        ix ? explain_trial_json_text(q, ix->name) : (struct span){"", 0}},
                       {"KeyConditionExpression", explain_trial_json_text(q, buf_span(&text))},
                       {"FilterExpression", filter.len
                                                ? explain_trial_json_text(q, buf_span(&filter))
                                                : (struct span){"", 0}},
                       {"ProjectionExpression", shown},
                       {"ExpressionAttributeNames", closed(&d.names)},
                       {"ExpressionAttributeValues", closed(&d.values)},
                       {"Statement", {"", 0}},
                       {"Parameters", {"", 0}},
                       {"Segment", {"", 0}},
                       {"TotalSegments", {"", 0}},
                       {"ScanFilter", {"", 0}},
                       {"QueryFilter", {"", 0}},
                       {"KeyConditions", {"", 0}},
                       {"ConditionalOperator", {"", 0}},
                       {"Limit", {"", 0}},
                   },
                   16),
               out);
}

/* --- hints ------------------------------------------------------------------------------------ */

/* A rewritten read, and what it takes with the second step that it may need. */
struct better {
    struct proposal proposal;
    struct span by; /* the partition attribute */
    double units;
    const char *step; /* ", and a BatchGetItem of the 3 keys"; or "" */
};

/* What the request takes, of all its pages if that is known. */
static double cost_of(const struct inquiry *q)
{
    return q->facts.all_units > q->facts.units ? q->facts.all_units : q->facts.units;
}

/* Whether a Query of the table or index has the request's conditions in its key condition, gives
 * the same items, and takes less. */
static bool is_better(struct inquiry *q, const struct target *target, const struct conditions *all,
                      const struct index *ix, struct better *out)
{
    const struct read_page *page = &target->plan.page;
    const struct key_schema *keys = ix ? &ix->keys : &page->table->keys;
    size_t key[2] = {CONDITIONS, CONDITIONS};
    enum sameness same;
    double fetch;

    if (keys->hash_count != 1 || (key[0] = find_condition(all, &keys->hash[0], true)) == CONDITIONS)
        return false;
    if (keys->range_count == 1)
        key[1] = find_condition(all, &keys->range[0], false);
    if (target->plan.key.len && key[1] == CONDITIONS) /* a Query by less than it asks for */
        return false;
    if (!propose(q, page, ix, all, key, &out->proposal) ||
        (same = explain_same(q, page->table, &out->proposal, &fetch)) == SAME_NOT)
        return false;
    out->by = all->at[key[0]].path->at[0].name;
    out->units = out->proposal.units + (same == SAME_KEYS ? fetch : 0);
    out->step = same == SAME_KEYS ? arena_printf(q->arena, " with a BatchGetItem of %s",
                                                 inquiry_count(q, q->facts.returned, "key"))
                                  : "";
    return out->units < cost_of(q);
}

/* A rewrite is compared with all that the request gives, in any order. */
static bool is_comparable(struct inquiry *q, const struct target *target)
{
    return !wire_get(q->call.body, "ExclusiveStartKey") && !wire_get(q->call.body, "NextToken") &&
           !wire_get(q->call.body, "AttributesToGet") && q->facts.returned &&
           !(target->plan.key.len && target->plan.page.limit);
}

/* An access pattern that gives the same items for less. */
static bool pattern_answers(struct inquiry *q, const struct target *target,
                            const struct conditions *all)
{
    const struct catalogue_step *answer = q->match.answer;
    const struct index *ix = NULL;
    struct better better;
    struct hint *hint;

    if (!answer || (answer->shape.index.len &&
                    !(ix = schema_find_index(target->plan.page.table, answer->shape.index))))
        return false;
    if (!is_better(q, target, all, ix, &better))
        return false;
    hint = inquiry_hint(q, ADVICE_HINT, "access-pattern", "%s%s, in %s instead of %s units",
                        answer->hint, better.step, inquiry_units(q, better.units),
                        inquiry_units(q, cost_of(q)));
    hint->proposal = better.proposal;
    return true;
}

static void say_better(struct inquiry *q, const struct target *target, const struct index *ix,
                       const struct better *better)
{
    const struct table *t = target->plan.page.table;
    struct hint *hint;

    if (target->plan.key.len)
        hint = inquiry_hint(
            q, ADVICE_HINT, "filter-is-sort-key",
            "%s has %.*s as its sort key: a Query of it%s gives the same items in %s "
            "instead of %s units",
            inquiry_place(q, t, ix), SPAN_ARG(ix ? ix->keys.range[0].name : t->keys.range[0].name),
            better->step, inquiry_units(q, better->units), inquiry_units(q, cost_of(q)));
    else
        hint = inquiry_hint(
            q, ADVICE_HINT, "scan-has-index",
            "a Query of %s by %.*s%s gives the same items in %s instead of %s units",
            inquiry_place(q, t, ix), SPAN_ARG(better->by), better->step,
            inquiry_units(q, better->units), inquiry_units(q, cost_of(q)));
    hint->proposal = better->proposal;
}

/* The table itself or another index gives the same items for less. */
static bool other_place(struct inquiry *q, const struct target *target,
                        const struct conditions *all)
{
    const struct read_page *page = &target->plan.page;
    const struct table *t = page->table;

    for (size_t i = 0; i <= t->index_count; i++) {
        const struct index *ix = i ? &t->indexes[i - 1] : NULL;
        struct better better;

        if ((target->plan.key.len && ix == page->index) || !is_better(q, target, all, ix, &better))
            continue;
        say_better(q, target, ix, &better);
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
                     "filter; continue from LastEvaluatedKey for the rest",
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
                     "a strongly consistent read costs %s units instead of %s",
                     inquiry_units(q, q->facts.units), inquiry_units(q, q->facts.units / 2));
}

/* What the items would be in an index that holds only these attributes. */
struct narrow {
    struct span *names;
    size_t count, items, bytes;
};

static void add_name(struct narrow *n, struct span name)
{
    size_t i = 0;

    while (i < n->count && !span_equal(n->names[i], name))
        i++;
    if (i == n->count)
        n->names[n->count++] = name;
}

static void add_keys(struct narrow *n, const struct key_schema *keys)
{
    const struct key_part *part;

    for (size_t i = 0; (part = inquiry_key_part(keys, i)); i++)
        add_name(n, part->name);
}

static bool add_up(struct inquiry *q, const struct item *it, void *data)
{
    struct narrow *n = data;

    (void)q;
    n->items++;
    for (size_t i = 0; i < n->count; i++) {
        const struct attr *value = item_find(it, n->names[i]);

        if (value)
            n->bytes += n->names[i].len + attr_size(value);
    }
    return false;
}

/* Of a read of a whole range: what it would take in an index that holds the keys and the attributes
 * that it shows and filters by, counted with its items; < 0: not known. */
static double narrow_units(struct inquiry *q, const struct read_page *page)
{
    struct narrow n = {.count = 0};
    struct span *filtered;
    size_t count;

    if (!page->projection || page->consistent || q->facts.more || !q->facts.read ||
        wire_get(q->call.body, "ExclusiveStartKey") || wire_get(q->call.body, "NextToken"))
        return -1;
    expr_condition_names(q->arena, page->filter, &filtered, &count);
    n.names = arena_array(q->arena, page->projection->len + count + 4 * LIMIT_KEY_PARTS,
                          sizeof *n.names);
    for (size_t i = 0; i < page->projection->len; i++)
        add_name(&n, page->projection->paths[i].at[0].name);
    for (size_t i = 0; i < count; i++)
        add_name(&n, filtered[i]);
    add_keys(&n, &page->table->keys);
    if (page->index)
        add_keys(&n, &page->index->keys);
    (void)explain_rows_find(q, &page->range, q->facts.read + 1, add_up, &n);
    return n.items == q->facts.read ? capacity_read_units(n.bytes) / 2 : -1;
}

static void projection_saves_nothing(struct inquiry *q, const struct read_page *page)
{
    const wire_node *body = q->call.body;
    bool projects = page->projection || wire_get(body, "ProjectionExpression") ||
                    wire_get(body, "AttributesToGet");
    const char *more = "";
    double units;

    if (!projects || !q->facts.returned || q->facts.units <= 0.5)
        return;
    units = narrow_units(q, page);
    if (units >= 0 && 2 * units <= q->facts.units)
        more = arena_printf(q->arena,
                            "; in an index that holds only the keys and what is asked for they "
                            "would take %s instead of %s units",
                            inquiry_units(q, units), inquiry_units(q, q->facts.units));
    inquiry_hint(q, ADVICE_NOTE, "projection-saves-no-unit",
                 "the projection makes the answer shorter and saves no unit: items are read "
                 "whole%s",
                 more);
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
    struct conditions conditions;

    if (targets->count == 1) {
        bool removed = q->facts.returned < q->facts.read;
        bool found = is_comparable(q, target) && read_conditions(q, target, &conditions) &&
                     (pattern_answers(q, target, &conditions) ||
                      (removed && other_place(q, target, &conditions)));

        if (!found && removed)
            limit_before_filter(q, page);
        if (!found && page->filter)
            statement_scans(q, target);
    }
    index_fetches(q, page);
    keys_only_index(q, page);
    consistent_costs(q, page);
    projection_saves_nothing(q, page);
    projected_in_vain(q, page);
    expired_items(q, page);
    if (q->calls_a_day > 0)
        explain_advice_cost(q, q->calls_a_day, "");
    if (q->past)
        q->past->note(q->past, q, page);
}

void explain_advice_cost(struct inquiry *q, double calls_a_day, const char *how)
{
    bool page_only = q->facts.more && q->facts.all_units < 0;
    double units = cost_of(q) * calls_a_day;

    inquiry_hint(q, ADVICE_NOTE, "cost-a-day",
                 "%.15g calls a day%s take %.15g read units%s, on demand %.2f USD (%.3g USD a "
                 "million)",
                 floor(calls_a_day), how, floor(units), page_only ? " for their first pages" : "",
                 units * CAPACITY_USD, CAPACITY_USD * 1e6);
}

void explain_advice_pattern(struct inquiry *q)
{
    if (q->match.answer)
        inquiry_hint(q, ADVICE_NOTE, "access-pattern", "%s", q->match.answer->hint);
}
