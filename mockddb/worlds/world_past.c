#include "worlds/world_past.h"

#include "explain/explain_find.h"
#include "explain/say.h"
#include "journal/partition_load.h"

#include <math.h>

#define SHAPES         300   /* requests whose shapes are compared */
#define MANY           20    /* requests, for a statement about all of them */
#define RECENT         100   /* requests in which a hot partition shows … */
#define FEW_PARTITIONS 5     /* … and partitions that they have to use */
#define RATE_COUNT     10    /* requests that make a rate, … */
#define RATE_MS        60000 /* … and the time between the first and the last */
#define DAY_MS         86400000.0
#define MUCH_USD       1 /* a day */

/* Requests of the journal that use the read's table. */
struct past_counts {
    size_t all, writes, index_reads;
    size_t same, same_of_index; /* that are the same read with other values */
    int64_t first_ms, last_ms;  /* of those */
    bool complete;              /* no request was left out */
};

/* The entry's use of the table; false: it uses others only. */
static bool find_account(const struct journal_entry *e, struct span table,
                         struct journal_account_view *out)
{
    size_t at = 0;

    while (journal_entry_account(e, &at, out))
        if (span_equal(out->name, table))
            return true;
    return false;
}

static bool reads_index(struct journal_account_view *account, const struct index *ix)
{
    struct journal_index_view index;

    while (ix && !account->account.writes && journal_entry_index(&account->indexes, &index))
        if (span_equal(index.name, ix->name))
            return true;
    return false;
}

static bool has_shape(struct inquiry *q, const struct journal_entry *e, struct span shape)
{
    struct arena *a = arena_new_in(q->arena);
    const wire_node *body;
    bool same = !wire_parse(a, journal_entry_body(e), &body) &&
                span_equal(catalogue_shape_of(a, e->op, body).text, shape);

    arena_free(a);
    return same;
}

/* With `shapes`, also requests that are the same read. */
static struct past_counts count_past(const struct journal *j, struct inquiry *q,
                                     const struct read_page *page, bool with_shapes)
{
    struct span shape = catalogue_shape_of(q->arena, q->call.op, q->call.body).text;
    struct past_counts n = {.complete = !journal_dropped(j)};
    size_t shapes = 0;

    for (uint64_t id = journal_last(j); id && id >= journal_first(j) && n.complete; id--) {
        const struct journal_entry *e = journal_find(j, id);
        struct journal_account_view account;
        bool of_index;

        n.complete = inquiry_has_time(q);
        if (!find_account(e, page->table->name, &account))
            continue;
        n.all++;
        n.writes += account.account.writes;
        of_index = reads_index(&account, page->index);
        n.index_reads += of_index;
        if (!with_shapes || e->op != q->call.op || e->error != ERROR_NONE)
            continue;
        if (++shapes > SHAPES)
            n.complete = false;
        else if (has_shape(q, e, shape)) {
            n.last_ms = n.same ? n.last_ms : e->began_ms;
            n.first_ms = e->began_ms;
            n.same++;
            n.same_of_index += of_index;
        }
    }
    return n;
}

/* This read's partition takes more than half of the units of the newest requests to its table or
 * index. */
static void say_hot(const struct journal *j, struct inquiry *q, const struct read_page *page)
{
    struct span index = page->index ? page->index->name : (struct span){"", 0};
    struct partition_load *load = partition_load_new(page->table->name),
                          *own = partition_load_new(page->table->name);
    struct partition *const *all, *const *mine;
    const struct partition *most = NULL;
    size_t count, own_count, looked_at = 0;
    double units = 0;

    for (uint64_t id = journal_last(j); id && id >= journal_first(j) && looked_at < RECENT; id--) {
        struct journal_account_view account;
        const struct journal_entry *e = journal_find(j, id);

        if (!inquiry_has_time(q))
            break;
        if (!find_account(e, page->table->name, &account))
            continue;
        partition_load_take(load, e);
        if (!looked_at++ && span_equal(journal_entry_body(e), q->record->text))
            partition_load_take(own, e);
    }
    all = partition_load_sorted(load, &count);
    mine = partition_load_sorted(own, &own_count);
    for (size_t i = count; i-- > 0;)
        if (span_equal(all[i]->index, index)) {
            most = all[i];
            units += partition_load_units(most);
        }
    if (own_count == 1 && most && looked_at == RECENT && count >= FEW_PARTITIONS &&
        span_equal(most->key, mine[0]->key) && 2 * partition_load_units(most) > units)
        say_hint(q, ADVICE_NOTE, "hot-partition",
                 "the partition % takes % % of the units of the newest % requests to %: a "
                 "partition has 3000 read units and 1000 write units a second at most",
                 most->key, round(100 * partition_load_units(most) / units), '%', looked_at,
                 say_place(page->table, page->index));
    partition_load_free(load);
    partition_load_free(own);
}

static void say_past(const struct explain_past *self, struct inquiry *q,
                     const struct read_page *page)
{
    const struct world_past *past = (const struct world_past *)(const void *)self;
    bool of_index = page->index && page->index->global;
    /* Whether it can cost MUCH_USD a day, if all requests that are compared are this read. */
    bool can_cost = !q->calls_a_day &&
                    SHAPES * DAY_MS / RATE_MS * q->facts.units * CAPACITY_USD >= MUCH_USD;
    struct past_counts n = {.complete = false};
    double a_day;

    if (of_index || can_cost || (page->consistent && q->facts.units >= 1))
        n = count_past(world_journal(past->world), q, page, of_index || can_cost);
    a_day = n.last_ms - n.first_ms >= RATE_MS
                ? (double)(n.same - 1) * DAY_MS / (double)(n.last_ms - n.first_ms)
                : 0;

    if (n.complete && page->consistent && n.all >= MANY && !n.writes && q->facts.units >= 1)
        say_hint(q, ADVICE_NOTE, "consistent-in-vain",
                 "no request of the % to % in the journal is a write: an eventually consistent "
                 "read would have given the same for half the units",
                 n.all, page->table);
    if (n.complete && of_index && n.index_reads >= MANY && n.same_of_index == n.index_reads)
        say_hint(q, ADVICE_NOTE, "index-of-one-query",
                 "all % reads of % in the journal are this query: each write of its items is paid "
                 "for by the index as well",
                 n.index_reads, page->index);
    say_hot(world_journal(past->world), q, page);
    if (!q->calls_a_day && n.same >= RATE_COUNT &&
        a_day * q->facts.units * CAPACITY_USD >= MUCH_USD)
        explain_advice_cost(q, a_day,
                            arena_printf(q->arena, " (the journal's rate: %zu in %.3g s)", n.same,
                                         (double)(n.last_ms - n.first_ms) / 1000));
}

struct world_past world_past_of(const struct world *w)
{
    return (struct world_past){.past = {say_past}, .world = w};
}
