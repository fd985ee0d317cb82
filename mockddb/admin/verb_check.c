/* GET /_mockddb/check: looks for data and indexes that are probably wrong. */
#include "admin/admin_verb.h"
#include "admin/check_items.h"
#include "base/fold.h"
#include "base/one_more.h"
#include "journal/partition_load.h"
#include "model/item_codec.h"

#include <stdlib.h>

#define SLICE_US      4000  /* of the journal */
#define ITEMS         10000 /* default: whole items that are read of each table */
#define MOST_ITEMS    1000000
#define MANY_READS    20  /* of a table: an index without one is not used */
#define MANY_REQUESTS 100 /* to partitions of a table, of which one takes most of the load */

/* Reads of a table or index in the journal. */
struct check_reads {
    struct span table, index; /* index empty: of the table and all its indexes */
    uint64_t count;
};

struct check_named {
    struct span region, table;
};

struct checking {
    struct arena *arena, *scratch;
    struct span only; /* the table; empty: all tables */
    size_t items;
    uint64_t next_id, last_id, requests, dropped;
    struct partition_load *load;
    struct check_reads *reads;
    size_t read_count;
    struct check_named *names; /* of the tables so far */
    size_t name_count;
    struct span table; /* id of the current table */
    size_t place;      /* 0: the table itself, then its indexes */
    struct check_walk *walk;
    struct check_findings found;
    struct buf looked; /* JSON of the tables that were looked at */
    size_t looked_count;
};

/* --- the journal ------------------------------------------------------------------------------ */

static struct check_reads *find_reads(struct checking *n, struct span table, struct span index)
{
    struct check_reads *r = n->reads, *end = r + n->read_count;

    while (r < end && !(span_equal(r->table, table) && span_equal(r->index, index)))
        r++;
    if (r < end)
        return r;
    n->reads = one_more(n->arena, n->reads, n->read_count, sizeof *r);
    r = &n->reads[n->read_count++];
    *r = (struct check_reads){arena_span(n->arena, table), arena_span(n->arena, index), 0};
    return r;
}

static void take_entry(struct checking *n, const struct journal_entry *e)
{
    struct journal_account_view account;
    struct journal_index_view index;
    size_t at = 0;

    n->requests++;
    partition_load_take(n->load, e);
    while (journal_entry_account(e, &at, &account)) {
        if (account.account.writes)
            continue;
        find_reads(n, account.name, (struct span){"", 0})->count++;
        while (journal_entry_index(&account.indexes, &index))
            find_reads(n, account.name, index.name)->count++;
    }
}

static void read_journal(struct checking *n, const struct journal *j)
{
    int64_t until_us = clock_work_us() + SLICE_US;
    uint64_t first = journal_first(j);

    if (n->next_id < first) {
        n->dropped += (first <= n->last_id ? first : n->last_id + 1) - n->next_id;
        n->next_id = first;
    }
    while (n->next_id <= n->last_id && clock_work_us() < until_us)
        take_entry(n, journal_find(j, n->next_id++));
}

/* --- tables ----------------------------------------------------------------------------------- */

static void add_unread(struct checking *n, const struct table *t, const struct index *ix)
{
    uint64_t reads = find_reads(n, t->name, (struct span){"", 0})->count;

    if (reads < MANY_READS || find_reads(n, t->name, ix->name)->count ||
        ix->status != STATUS_ACTIVE)
        return;
    (void)check_findings_add(&n->found, "unread-index", t->name, ix->name, (struct span){"", 0},
                             "none of the %llu reads of %.*s in the journal is of this index",
                             (unsigned long long)reads, SPAN_ARG(t->name));
}

static bool same_but_case(struct span a, struct span b)
{
    unsigned difference;

    return fold_compare(a, b, &difference) && difference == FOLD_CASE;
}

/* Names of the table and of its indexes that differ only by case from others. */
static void add_names(struct checking *n, const struct table *t)
{
    struct check_named *names;

    for (size_t i = 0; i < n->name_count; i++)
        if (span_equal(n->names[i].region, t->region) && same_but_case(n->names[i].table, t->name))
            (void)check_findings_add(&n->found, "names-by-case", t->name, (struct span){"", 0},
                                     (struct span){"", 0},
                                     "the tables %.*s and %.*s differ only by case",
                                     SPAN_ARG(n->names[i].table), SPAN_ARG(t->name));
    n->names = names = one_more(n->arena, n->names, n->name_count, sizeof *names);
    names[n->name_count++] = (struct check_named){arena_span(n->arena, t->region),
                                                  arena_span(n->arena, t->name)};
    for (size_t i = 0; i < t->index_count; i++)
        for (size_t k = i + 1; k < t->index_count; k++)
            if (same_but_case(t->indexes[i].name, t->indexes[k].name))
                (void)check_findings_add(
                    &n->found, "names-by-case", t->name, t->indexes[i].name, (struct span){"", 0},
                    "the indexes %.*s and %.*s differ only by case", SPAN_ARG(t->indexes[i].name),
                    SPAN_ARG(t->indexes[k].name));
}

/* The next table to look at, or NULL. */
static const struct table *next_table(const struct checking *n, struct store *s)
{
    if (n->only.len)
        return n->name_count ? NULL : store_table(s, n->only);
    return store_table_after(s, n->table);
}

static void show_looked(struct checking *n, const struct table *t)
{
    const struct check_looked looked = check_items_looked(n->walk);
    struct wire_writer w = {.out = &n->looked, .comma = n->looked_count++ > 0};

    wire_open(&w, '{');
    wire_put_member_text(&w, "table", t->name);
    wire_put_member_integer(&w, "items", (int64_t)looked.items);
    wire_put_member_integer(&w, "keys_read", (int64_t)looked.rows);
    wire_put_member_integer(&w, "items_read", (int64_t)looked.whole);
    wire_close(&w, '}');
}

/* Begins with the next table or index. False: there is no other one. */
static bool begin_walk(struct checking *n, const struct world *w)
{
    struct store *s = world_store(w);
    const struct table *t = n->place ? store_table(s, n->table) : NULL;
    const struct index *ix;

    if (!t || n->place > t->index_count) {
        n->place = 0;
        if (!(t = next_table(n, s)))
            return false;
        n->table = schema_id(n->arena, arena_span(n->arena, t->region),
                             arena_span(n->arena, t->name));
        add_names(n, t);
    }
    ix = n->place ? &t->indexes[n->place - 1] : NULL;
    n->place++;
    if (ix && !ix->vector.dimensions)
        add_unread(n, t, ix);
    if (ix && (ix->vector.dimensions || !ix->global))
        return true; /* a local index has the table's partitions */
    n->walk = check_items_new(
        &(struct check_items_options){.store = s,
                                      .table = t,
                                      .index = ix,
                                      .items = n->items,
                                      .now_ms = clock_now_ms(world_clock(w)),
                                      .keeps_items = op_keeps_items(world_settings(w), t->name)});
    return true;
}

/* --- the work --------------------------------------------------------------------------------- */

static bool step_check(struct admin_work *w)
{
    struct checking *n = w->state;

    arena_reset(n->scratch);
    if (n->next_id <= n->last_id) {
        read_journal(n, world_journal(w->world));
        return false;
    }
    if (!n->walk)
        return !begin_walk(n, w->world);
    if (check_items_step(n->walk)) {
        const struct table *t = store_table(world_store(w->world), n->table);

        check_items_end(n->walk, &n->found);
        if (t && n->place == 1)
            show_looked(n, t);
        check_items_free(n->walk);
        n->walk = NULL;
    }
    return false;
}

static int by_place(const void *one, const void *two)
{
    const struct partition *a = *(struct partition *const *)one;
    const struct partition *b = *(struct partition *const *)two;
    int order = span_compare(a->table, b->table);

    return order ? order : span_compare(a->index, b->index);
}

/* The load of the partitions of one table or index. */
static void add_hot(struct checking *n, struct partition *const *of, size_t count)
{
    const struct partition *most = of[0];
    uint64_t requests = 0;
    double units = 0;
    struct check_finding *one;

    for (size_t i = 0; i < count; i++) {
        requests += of[i]->reads + of[i]->writes;
        units += partition_load_units(of[i]);
        if (partition_load_units(of[i]) > partition_load_units(most))
            most = of[i];
    }
    if (requests < MANY_REQUESTS || 2 * partition_load_units(most) <= units)
        return;
    one = check_findings_add(
        &n->found, "hot-partition", most->table, most->index, (struct span){"", 0},
        "one partition took %.15g of the %.15g units in the journal, and %llu "
        "of the %llu requests",
        partition_load_units(most), units, (unsigned long long)most->reads + most->writes,
        (unsigned long long)requests);
    if (one)
        one->key = item_decode(n->arena, most->key);
}

static void add_load(struct checking *n)
{
    size_t count, from = 0;
    struct partition *const *sorted = partition_load_sorted(n->load, &count);
    struct partition **all = arena_array(n->arena, count + 1, sizeof(struct partition *));

    for (size_t i = 0; i < count; i++)
        all[i] = sorted[i];
    qsort(all, count, sizeof(struct partition *), by_place);
    for (size_t i = 1; i <= count; i++)
        if (i == count || by_place(&all[i - 1], &all[i]) != 0) {
            add_hot(n, all + from, i - from);
            from = i;
        }
}

static const struct problem *answer_check(struct admin_call *c, struct admin_work *w)
{
    struct checking *n = w->state;

    add_load(n);
    check_findings_show(&n->found, journal_options_of(world_journal(w->world)), &c->out);
    wire_open_member(&c->out, "tables", '[');
    buf_add_span(c->out.out, buf_span(&n->looked));
    wire_close(&c->out, ']');
    wire_put_member_integer(&c->out, "requests", (int64_t)n->requests);
    wire_put_member_integer(&c->out, "dropped", (int64_t)n->dropped);
    return NULL;
}

static void end_check(struct admin_work *w)
{
    struct checking *n = w->state;

    check_items_free(n->walk);
    partition_load_free(n->load);
    arena_free(n->scratch);
    arena_free(n->arena);
}

static const struct admin_job job = {.step = step_check, .answer = answer_check, .end = end_check};

static const struct problem *begin_check(struct admin_call *c)
{
    const struct journal *j = world_journal(c->world);
    struct span table;
    const struct problem *p = admin_read_table(c, &table);
    uint64_t count = ITEMS;
    struct arena *own;
    struct checking *n;

    if (p)
        return p;
    if (table.len && !store_table(world_store(c->world), table))
        return admin_no_table(c, table);
    if ((p = admin_read_count(c, "items", MOST_ITEMS, &count)))
        return p;
    own = arena_new();
    n = arena_alloc(own, sizeof *n);
    n->arena = own;
    n->scratch = arena_new();
    n->only = arena_span(own, table);
    n->items = (size_t)count;
    n->next_id = journal_first(j);
    n->last_id = journal_last(j);
    n->dropped = journal_dropped(j);
    n->load = partition_load_new(n->only);
    n->found.arena = own;
    n->looked = buf_in(own);
    n->table = (struct span){"", 0};
    admin_begin(c, &job, n);
    return NULL;
}

const struct admin_verb verb_check[] = {
    {"GET", "check", ADMIN_ALONE, NULL, "table items", begin_check},
    {0},
};
