#include "explain/explain_find.h"

#include "base/siphash.h"
#include "explain/explain_candidate.h"
#include "explain/explain_entry.h"
#include "explain/explain_trial.h"
#include "explain/say.h"
#include "expr/expr_print.h"
#include "model/item_codec.h"
#include "ops/capacity.h"
#include "ops/read/read_index.h"

#include <math.h>
#include <stdlib.h>

#define EXPIRY_LOOKED_AT    50 /* items */
#define PROJECTED_LOOKED_AT 50
#define COMPARED            2000
#define LOOKING_PERCENT     80 /* of the budget that is left, for the key of another index */
#define SAVED_UNITS         1  /* that such an index has to save */

/* --- what the request asks for ---------------------------------------------------------------- */

#define CONDITIONS 24

/* The conditions of a read: those of its key, then those of its filter. */
struct conditions {
    struct expr_key_clause at[CONDITIONS];
    size_t len;
};

/* Whether a key condition can have the clause, of a partition attribute or of a sort attribute. */
static bool is_for_key(const struct expr_key_clause *one, bool is_hash)
{
    return one->op == EXPR_EQ ||
           (!is_hash && (explain_candidate_is_range(one->op) ||
                         (one->op == EXPR_BEGINS_WITH && one->low.type == ATTR_S)));
}

/* False: one of them is no comparison, or they are too many; a rewrite could lose it. */
static bool read_conditions(struct inquiry *q, const struct target *target, struct conditions *out)
{
    const struct expr_key *key = &target->plan.key;
    struct expr_parts parts = expr_condition_parts(q->arena, target->plan.page.filter);

    /* A SELECT has the key in its WHERE as well. */
    out->len = wire_get(q->call.body, "Statement") ? 0 : key->len;
    if (out->len + parts.len > CONDITIONS)
        return false;
    for (size_t i = 0; i < out->len; i++)
        out->at[i] = key->at[i];
    for (size_t i = 0; i < parts.len; i++)
        if (!explain_read_clause(parts.at[i], &out->at[out->len++]))
            return false;
    return true;
}

/* The comparison of this attribute that a key condition can have; CONDITIONS: no condition does. */
static size_t find_condition(const struct conditions *all, const struct key_part *part,
                             bool is_hash)
{
    for (size_t i = 0; i < all->len; i++) {
        const struct expr_key_clause *one = &all->at[i];

        if (span_equal(one->attribute, part->name) && one->low.type == part->type &&
            is_for_key(one, is_hash))
            return i;
    }
    return CONDITIONS;
}

/* A Query of the table or index with the request's own conditions, `key` of them in its key
 * condition and the rest in its filter. False: it gives nothing, or shows parts of attributes. */
static bool propose_rewrite(struct inquiry *q, const struct read_page *page, const struct index *ix,
                            const struct conditions *all, const size_t *key, struct proposal *out)
{
    struct expr_key_clause clauses[CONDITIONS];
    struct expr_key in_key = {clauses, 0}, in_filter = {clauses, 0};

    for (size_t i = 0; page->projection && i < page->projection->len; i++)
        if (page->projection->paths[i].len != 1)
            return false;
    for (size_t i = 0; i < 2; i++)
        if (key[i] < all->len)
            clauses[in_key.len++] = all->at[key[i]];
    in_filter.at += in_key.len;
    for (size_t i = 0; i < all->len; i++)
        if (i != key[0] && i != key[1])
            in_filter.at[in_filter.len++] = all->at[i];
    return explain_trial_propose(
        q, "Query",
        explain_draft_query(q, page->table, ix, &in_key, &in_filter, page->projection, true), out);
}

/* --- the same items --------------------------------------------------------------------------- */

/* Whether a rewritten read gives the items that the request gave. */
enum sameness {
    SAME_NOT,
    SAME_KEYS, /* the same items, without some of their attributes */
    SAME_ITEMS
};

/* The items of a reply, or their keys, by their hashes in order. */
struct answers {
    uint64_t *at;
    size_t len;
    int64_t count; /* as the reply says it; -1: it does not */
    bool has_items, more;
    double fetch_units; /* to read the items by their keys */
};

static int by_hash(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

/* With `keyed` the keys of the items of this table; false: an item does not have all of its key, or
 * they are too many. */
static bool read_answers(struct inquiry *q, struct span reply, const struct table *keyed,
                         struct answers *out)
{
    static const struct siphash_key key;
    const wire_node *root, *list;
    struct item it;

    *out = (struct answers){.len = 0};
    if (!reply.len || wire_parse(q->arena, reply, &root))
        return false;
    list = wire_get(root, "Items");
    out->has_items = list != NULL;
    out->count = wire_integer(wire_get(root, "Count"), -1);
    out->more = inquiry_has_more(q, reply);
    if (wire_count(list) > COMPARED)
        return false;
    out->at = arena_array(q->arena, wire_count(list) + 1, sizeof *out->at);
    for (const wire_node *n = wire_first(list); n; n = wire_next(n)) {
        if (!inquiry_read_item(q, n, &it))
            return false;
        out->fetch_units += capacity_read_units(item_size(&it)) / 2;
        if (keyed && explain_read_key(q, &keyed->keys, &it).len < schema_key_count(&keyed->keys))
            return false;
        it = keyed ? schema_key_of(q->arena, keyed, &it) : it;
        out->at[out->len++] = item_hash(&key, &it);
    }
    qsort(out->at, out->len, sizeof *out->at, by_hash);
    return true;
}

/* Whether each of `some` is among `all`. */
static bool are_among(const struct answers *some, const struct answers *all)
{
    size_t i = 0;

    for (size_t k = 0; i < some->len && k < all->len; k++)
        i += some->at[i] == all->at[k];
    return i == some->len;
}

/* Compares the items of the call's reply with those of a proposal that was tried. If more pages
 * follow the reply, its items must be among the proposal's. *fetch_units is what reading the rest
 * of the items by their keys takes, for SAME_KEYS. */
static enum sameness compare_answers(struct inquiry *q, const struct table *t,
                                     const struct proposal *p, double *fetch_units)
{
    struct answers ours, theirs;

    if (!read_answers(q, q->record->reply, NULL, &ours) ||
        !read_answers(q, p->answer, NULL, &theirs) || (theirs.more && !ours.more))
        return SAME_NOT;
    *fetch_units = ours.fetch_units;
    /* The conditions are the same, so an index can only give fewer items. */
    if (!ours.has_items || !theirs.has_items)
        return !ours.more && ours.count == theirs.count ? SAME_ITEMS : SAME_NOT;
    if (!ours.more && ours.len != theirs.len)
        return SAME_NOT;
    if (are_among(&ours, &theirs))
        return SAME_ITEMS;
    return read_answers(q, q->record->reply, t, &ours) && read_answers(q, p->answer, t, &theirs) &&
                   are_among(&ours, &theirs)
               ? SAME_KEYS
               : SAME_NOT;
}

/* --- hints ------------------------------------------------------------------------------------ */

/* What the request takes, of all its pages if that is known. */
static double cost_of(const struct inquiry *q)
{
    return q->facts.all_units > q->facts.units ? q->facts.all_units : q->facts.units;
}

/* Whether a Query of the table or index has the request's conditions in its key condition, gives
 * the same items, and takes less than *least; it becomes a hint. `answer`: an access pattern asks
 * so. */
static bool say_better(struct inquiry *q, const struct target *target, const struct conditions *all,
                       const struct index *ix, const struct catalogue_step *answer, double *least)
{
    const struct read_page *page = &target->plan.page;
    const struct key_schema *keys = ix ? &ix->keys : &page->table->keys;
    struct word place = say_place(page->table, ix);
    size_t key[2] = {CONDITIONS, CONDITIONS};
    double units, before = *least;
    struct proposal proposal;
    enum sameness same;
    const char *step = "";
    struct hint *hint;

    if (keys->hash_count != 1 || (key[0] = find_condition(all, &keys->hash[0], true)) == CONDITIONS)
        return false;
    if (keys->range_count == 1)
        key[1] = find_condition(all, &keys->range[0], false);
    if (target->plan.key.len && key[1] == CONDITIONS) /* a Query by less than it asks for */
        return false;
    if (!propose_rewrite(q, page, ix, all, key, &proposal) ||
        (same = compare_answers(q, page->table, &proposal, &units)) == SAME_NOT)
        return false;
    units = proposal.units + (same == SAME_KEYS ? units : 0);
    if (units >= before)
        return false;
    *least = units;
    if (same == SAME_KEYS) /* a second step gets the rest */
        step = say_text(q, " with a BatchGetItem of %", say_count(q->facts.returned, "key"));
    if (answer)
        hint = say_hint(q, ADVICE_HINT, "access-pattern", "%%, in % instead of % units",
                        answer->hint, step, units, before);
    else if (target->plan.key.len)
        hint = say_hint(q, ADVICE_HINT, "filter-is-sort-key",
                        "% has % as its sort key: a Query of it% gives the same items in % "
                        "instead of % units",
                        place, keys->range[0].name, step, units, before);
    else
        hint = say_hint(q, ADVICE_HINT, "scan-has-index",
                        "a Query of % by %% gives the same items in % instead of % units", place,
                        keys->hash[0].name, step, units, before);
    hint->proposal = proposal;
    return true;
}

/* Whether an access pattern, the table itself or another index gives the same items for less than
 * *least, which becomes what that takes. */
static bool find_better(struct inquiry *q, const struct target *target,
                        const struct conditions *all, double *least)
{
    const struct read_page *page = &target->plan.page;
    const struct table *t = page->table;
    const struct catalogue_step *answer = q->match.answer;
    struct span name = answer ? answer->shape.index : (struct span){NULL, 0};
    const struct index *ix = name.len ? schema_find_index(t, name) : NULL;

    if (answer && (ix || !name.len) && say_better(q, target, all, ix, answer, least))
        return true;
    for (size_t i = 0; i <= t->index_count && q->facts.returned < q->facts.read; i++) {
        ix = i ? &t->indexes[i - 1] : NULL;
        if (!(target->plan.key.len && ix == page->index) &&
            say_better(q, target, all, ix, NULL, least))
            return true;
    }
    return false;
}

/* --- a key that would halve it ---------------------------------------------------------------- */

/* A clause of the filter as the key of another index: of a Query behind its partition attribute, of
 * a Scan alone. */
struct key_idea {
    struct expr_key_clause clause;
    bool unfit; /* an item has a value there that no index takes */
    size_t items, bytes;
};

struct key_ideas {
    struct key_idea at[CONDITIONS];
    struct span names[CONDITIONS];
    size_t len;
    size_t items, bytes; /* looked at */
    bool all;            /* there are no others */
};

static void read_ideas(struct inquiry *q, const struct target *target, struct key_ideas *out)
{
    const struct read_page *page = &target->plan.page;
    const struct key_schema *keys = explain_rows_keys(&(struct rows){page->table, page->index});
    struct expr_parts parts = expr_condition_parts(q->arena, page->filter);
    bool is_scan = !target->plan.key.len;

    for (size_t i = 0; i < parts.len && out->len < CONDITIONS; i++) {
        struct key_idea *idea = &out->at[out->len];

        if (explain_read_clause(parts.at[i], &idea->clause) && is_for_key(&idea->clause, is_scan) &&
            idea->clause.low.type <= ATTR_B &&
            (is_scan || !schema_is_key(keys, idea->clause.attribute)))
            out->names[out->len++] = idea->clause.attribute;
    }
}

static void add_row(struct key_ideas *all, const struct item *it, size_t bytes)
{
    all->items++;
    all->bytes += bytes;
    for (size_t i = 0; i < all->len; i++) {
        struct key_idea *idea = &all->at[i];
        const struct attr *value = item_find(it, idea->clause.attribute);

        if (value && (value->type != idea->clause.low.type || !value->bytes.len ||
                      value->bytes.len > LIMIT_RANGE_BYTES)) {
            idea->unfit = true;
        } else if (value && explain_rows_fits_clause(&idea->clause, value)) {
            idea->items++;
            idea->bytes += bytes;
        }
    }
}

static void look_at_rows(struct inquiry *q, const struct read_page *page, struct store_range range,
                         struct key_ideas *all)
{
    struct inquiry_share share = inquiry_begin_share(q, LOOKING_PERCENT);
    struct cursor *cursor = cursor_open(q->call.unit, range);
    struct store_row row = {.found = true};

    while (inquiry_may_read(q) && !cursor_next(cursor, &row) && row.found) {
        struct arena_mark mark = arena_mark(q->arena);
        struct item it = item_decode_only(q->arena, row.body, all->names, all->len);

        if (page->index)
            it = schema_project(q->arena, page->table, page->index, &it);
        add_row(all, &it, row.size);
        arena_release(q->arena, mark);
    }
    cursor_close(cursor);
    inquiry_end_share(q, &share);
    all->all = !row.found;
}

/* Whether the table or an index begins with this key; *less: an index has it, without all
 * attributes. */
static bool is_keyed(const struct table *t, const struct span *names, size_t count,
                     const struct index **less)
{
    for (size_t i = 0; i <= t->index_count; i++) {
        const struct index *ix = i ? &t->indexes[i - 1] : NULL;
        const struct key_schema *keys = ix ? &ix->keys : &t->keys;

        if (keys->hash_count != 1 || !span_equal(keys->hash[0].name, names[0]) ||
            (count == 2 && !(keys->range_count && span_equal(keys->range[0].name, names[1]))))
            continue;
        if (!ix || ix->projection == PROJECT_ALL || keys->range_count != count - 1)
            return true;
        *less = ix;
    }
    return false;
}

/* What an index would take whose key has a condition of the filter: counted with the items, where
 * more of them follow than may be looked at, with the first ones. `least`: the read takes that at
 * best as things are. */
static void note_halving_key(struct inquiry *q, const struct target *target, double least)
{
    const struct read_page *page = &target->plan.page;
    const struct rows r = {page->table, page->index};
    const struct key_schema *keys = explain_rows_keys(&r);
    const struct expr_key *key = &target->plan.key;
    struct key_ideas *all = arena_alloc(q->arena, sizeof *all);
    struct span names[2] = {keys->hash[0].name};
    const struct key_idea *best = NULL;
    const struct index *less = NULL;
    struct store_range range = page->range;
    double units, before = cost_of(q);
    size_t count = 0;

    if (least < 2 * SAVED_UNITS || page->limit || page->consistent || keys->hash_count != 1 ||
        inquiry_continues(q->call.body) || wire_get(q->call.body, "Segment") ||
        (page->index && !page->index->global && q->record->accounts->table_units > 0))
        return;
    if (key->len) { /* beside another sort attribute, the condition of this one is in the filter */
        range = explain_rows_partition(q, &r, &key->at[0].low);
        range.keys_only = false;
        count = 1;
    }
    *all = (struct key_ideas){.len = 0};
    read_ideas(q, target, all);
    if (all->len)
        look_at_rows(q, page, range, all);
    for (size_t i = 0; i < all->len; i++)
        if (!all->at[i].unfit && all->at[i].items && (!best || all->at[i].bytes < best->bytes))
            best = &all->at[i];
    if (!best || (!all->all && key->len > 1))
        return;
    if (!all->all)
        least = before = capacity_read_units(all->bytes) / 2;
    units = capacity_read_units(best->bytes) / 2;
    names[count++] = best->clause.attribute;
    if (2 * units > least || least - units < SAVED_UNITS ||
        is_keyed(page->table, names, count, &less))
        return;
    say_hint(q, ADVICE_NOTE, "index-would-halve",
             "% would take % instead of % units%: % of % items have %; writes of items with % "
             "would take units there, too",
             less ? say_text(q, "%, if it had all attributes,", less)
                  : say_text(q, "an index with % as its key", say_names(names, count)),
             units, before,
             all->all ? "" : say_text(q, " for the first %", say_count(all->items, "item")),
             best->items, all->items, &best->clause, best->clause.attribute);
}

/* --- notes ------------------------------------------------------------------------------------ */

/* Notes that need only what the read did. */
static void note_facts(struct inquiry *q, const struct read_page *page, bool is_limit)
{
    const struct capacity *used = q->record->accounts;
    const struct facts *f = &q->facts;

    if (is_limit && page->limit && f->more && f->returned && (size_t)page->limit == f->read)
        say_hint(q, ADVICE_HINT, "limit-before-filter",
                 "Limit counts items read, not items returned: % read, % passed the filter; "
                 "continue from LastEvaluatedKey for the rest",
                 f->read, f->returned);
    if (page->index && !page->index->global && used && used->table_units > 0)
        say_hint(q, ADVICE_HINT, "index-fetches",
                 "% does not hold all that is asked for: each item is read from the table as well, "
                 "% of % units",
                 page->index, used->table_units, f->units);
    if (page->index && page->index->projection == PROJECT_KEYS_ONLY && f->returned &&
        !page->count_only && !page->projection)
        say_hint(q, ADVICE_NOTE, "keys-only-index",
                 "% holds the keys only: a GetItem with % gives the rest of an item", page->index,
                 &page->table->keys);
    if (page->consistent && f->units >= 1)
        say_hint(q, ADVICE_NOTE, "consistent-costs-double",
                 "a strongly consistent read costs % units instead of %", f->units, f->units / 2);
}

static void add_once(struct name_list *list, struct span name)
{
    if (!span_is_among(name, list->at, list->len))
        list->at[list->len++] = name;
}

/* Of a read of a whole range: what it would take in an index that holds the keys and the attributes
 * that it shows and filters by, counted with its items; < 0: not known. */
static double narrow_units(struct inquiry *q, const struct read_page *page)
{
    const struct key_schema *keys[] = {&page->table->keys, page->index ? &page->index->keys : NULL};
    struct walk w = explain_rows_walk(q, &page->range, q->facts.read + 1);
    size_t count, items = 0, bytes = 0;
    const struct key_part *part;
    struct name_list held;
    struct span *filtered;

    if (!page->projection || page->consistent || q->facts.more || !q->facts.read ||
        inquiry_continues(q->call.body))
        return -1;
    expr_condition_names(q->arena, page->filter, &filtered, &count);
    held.at = arena_array(q->arena, page->projection->len + count + (size_t)4 * LIMIT_KEY_PARTS,
                          sizeof *held.at);
    held.len = 0;
    for (size_t i = 0; i < page->projection->len; i++)
        add_once(&held, page->projection->paths[i].at[0].name);
    for (size_t i = 0; i < count; i++)
        add_once(&held, filtered[i]);
    for (size_t k = 0; k < COUNT(keys) && keys[k]; k++)
        for (size_t i = 0; (part = schema_key_part(keys[k], i)); i++)
            add_once(&held, part->name);
    for (; explain_rows_next(&w); items++)
        for (size_t i = 0; i < held.len; i++) {
            const struct attr *value = item_find(&w.it, held.at[i]);

            bytes += value ? held.at[i].len + attr_size(value) : 0;
        }
    return items == q->facts.read ? capacity_read_units(bytes) / 2 : -1;
}

static void note_projection(struct inquiry *q, const struct read_page *page)
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
        more = say_text(q,
                        "; in an index that holds only the keys and what is asked for they would "
                        "take % instead of % units",
                        units, q->facts.units);
    say_hint(q, ADVICE_NOTE, "projection-saves-no-unit",
             "the projection makes the answer shorter and saves no unit: items are read whole%",
             more);
}

/* A name of the projection that none of the items has. */
static void note_vain_projection(struct inquiry *q, const struct read_page *page)
{
    for (size_t i = 0; page->projection && q->facts.returned && i < page->projection->len; i++) {
        struct walk w = explain_rows_walk(q, &page->range, PROJECTED_LOOKED_AT);
        struct span name = page->projection->paths[i].at[0].name;
        const char *near = NULL;
        bool found = false;

        while (!found && explain_rows_next(&w)) {
            found = item_find(&w.it, name);
            near = near ? near : explain_entry_near_name(q, &w.it, name);
        }
        if (found)
            continue;
        say_hint(q, ADVICE_NOTE, "projected-in-vain", "none of the items has %%", name,
                 say_behind(q, ", they have ", near));
        return;
    }
}

/* Items that the service would have been free to delete. */
static void note_expired(struct inquiry *q, const struct read_page *page)
{
    struct walk w = explain_rows_walk(q, &page->range, EXPIRY_LOOKED_AT);
    struct span name = page->table->ttl_attribute;
    struct attr now = {.type = ATTR_N};
    size_t count = 0;

    if (!name.len || !q->facts.returned || op_keeps_items(q->call.settings, page->table->name))
        return;
    now.bytes = say_text_span(q, "%", clock_now_ms(q->call.clock) / 1000);
    while (explain_rows_next(&w)) {
        const struct attr *due = item_find(&w.it, name);

        count += due && due->type == ATTR_N && expr_matches(page->filter, &w.it) &&
                 attr_compare(due, &now) < 0;
    }
    if (count)
        say_hint(q, ADVICE_NOTE, "expired-items",
                 "% of those returned: % is over by this world's clock; the service keeps such "
                 "items for hours or days, a filter of % > now leaves them out",
                 say_count(count, "item"), name, name);
}

/* A SELECT whose WHERE leads to no partition. */
static void note_statement_scan(struct inquiry *q, const struct target *target)
{
    const struct read_page *page = &target->plan.page;
    const struct key_schema *keys = explain_rows_keys(&(struct rows){page->table, page->index});
    struct span names[LIMIT_KEY_PARTS];

    for (size_t i = 0; i < keys->hash_count; i++)
        names[i] = keys->hash[i].name;
    if (wire_get(q->call.body, "Statement") && page->filter && !target->one_item &&
        !target->plan.key.len && q->facts.units > 0.5 && q->facts.returned)
        say_hint(q, ADVICE_HINT, "statement-scans",
                 "WHERE does not ask for % by = or IN: all of % is read, % for %",
                 say_names(names, keys->hash_count), say_place(page->table, page->index),
                 q->facts.read, q->facts.returned);
}

void explain_advice_give(struct inquiry *q, const struct targets *targets)
{
    const struct target *target = &targets->at[0];
    const struct read_page *page = &target->plan.page;
    struct conditions conditions;
    double least = cost_of(q);
    bool is_limit = false;

    if (targets->count == 1) {
        bool removed = q->facts.returned < q->facts.read;
        /* A rewrite is compared with all that the request gives, in any order. */
        bool found = q->facts.returned && !inquiry_continues(q->call.body) &&
                     !wire_get(q->call.body, "AttributesToGet") &&
                     !(target->plan.key.len && page->limit) &&
                     read_conditions(q, target, &conditions) &&
                     find_better(q, target, &conditions, &least);

        is_limit = !found && removed;
        if (!found)
            note_statement_scan(q, target);
        if (removed && q->facts.returned)
            note_halving_key(q, target, least);
    }
    note_facts(q, page, is_limit);
    note_projection(q, page);
    note_vain_projection(q, page);
    note_expired(q, page);
    if (q->calls_a_day > 0)
        explain_advice_cost(q, q->calls_a_day, "");
    if (q->past)
        q->past->note(q->past, q, page);
}

void explain_advice_cost(struct inquiry *q, double calls_a_day, const char *how)
{
    double units = cost_of(q) * calls_a_day;
    const char *of = !q->facts.more           ? ""
                     : q->facts.all_units < 0 ? " for their first pages"
                                              : " for all their pages";

    say_hint(q, ADVICE_NOTE, "cost-a-day", "% calls a day% take % read units%, on demand %",
             floor(calls_a_day), how, floor(units), of,
             arena_printf(q->arena, "%.2f USD (%.3g USD a million)", units * CAPACITY_USD,
                          CAPACITY_USD * 1e6));
}

void explain_advice_pattern(struct inquiry *q)
{
    if (q->match.answer)
        say_hint(q, ADVICE_NOTE, "access-pattern", "%", q->match.answer->hint);
}
