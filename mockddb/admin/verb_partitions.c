/* GET /_mockddb/metrics/partitions: the most used partition keys, like contributor insights,
 * counted from the requests in the journal. */
#include "admin/admin_verb.h"

#include "base/hash.h"
#include "journal/journal_entry.h"
#include "ops/op_subject.h"

#include <stdlib.h>

#define SLICE  500   /* entries of the journal that are processed in one slice */
#define CHAINS 4096  /* a power of two */
#define SHOWN  20    /* default limit */
#define MOST   10000 /* partitions that are counted separately; the others share one count */

struct partition {
    struct partition *next;
    struct span table, index, key; /* key: as JSON; index empty: the table itself */
    uint64_t reads, writes;
    double read_units, write_units;
};

struct counting {
    struct arena *arena; /* for the partitions */
    struct arena *scratch;
    struct span table; /* empty: all tables */
    size_t limit;
    uint64_t next_id;
    struct partition *chains[CHAINS];
    struct partition **all;
    size_t count;
    uint64_t others;
};

/* --- counting --------------------------------------------------------------------------------- */

static struct partition *find_partition(struct counting *n, struct span table, struct span index,
                                        struct span key)
{
    uint64_t hash = hash_bytes(key) ^ hash_bytes(table) ^ hash_bytes(index);
    struct partition **chain = &n->chains[hash & (CHAINS - 1)];
    struct partition *p = *chain;

    while (p &&
           !(span_equal(p->key, key) && span_equal(p->table, table) && span_equal(p->index, index)))
        p = p->next;
    if (p || n->count == MOST)
        return p;
    p = arena_alloc(n->arena, sizeof *p);
    *p = (struct partition){.next = *chain,
                            .table = arena_span(n->arena, table),
                            .index = arena_span(n->arena, index),
                            .key = arena_span(n->arena, key)};
    *chain = n->all[n->count++] = p;
    return p;
}

/* The request's use of the index that it names; zeroed if there was none. */
static struct journal_index_view index_of(const struct op_subject *s,
                                          const struct journal_account_view *account)
{
    struct span indexes = account->indexes;
    struct journal_index_view index;

    while (journal_entry_index(&indexes, &index))
        if (span_equal(index.name, s->index))
            return index;
    return (struct journal_index_view){.units = 0};
}

/* The names of the partition key attributes that the request reads or writes. */
static size_t key_names(const struct op_subject *s, const struct journal_account_view *account,
                        struct span *names)
{
    struct span keys = account->keys;
    size_t count = 0;

    if (!s->index.len)
        return journal_entry_key(&keys, names);
    keys = index_of(s, account).keys;
    while (count < LIMIT_KEY_PARTS && journal_entry_key(&keys, &names[count]))
        count++;
    return count;
}

/* Sets *key to the partition key in the request, as JSON; returns false without one. */
static bool read_key(struct counting *n, const struct op_subject *s,
                     const struct journal_account_view *account, struct buf *out)
{
    struct call c = {.arena = n->scratch};
    struct wire_writer w = {.out = out};
    struct span names[LIMIT_KEY_PARTS];
    struct item it = {.len = 0};
    size_t count = key_names(s, account, names);

    for (size_t i = 0; i < count; i++) {
        struct attr value;

        if (!op_subject_value(&c, s, names[i], &value))
            return false;
        item_set(n->scratch, &it, names[i], value);
    }
    wire_put_item(&w, &it);
    return count > 0;
}

/* Units that the request consumed there. */
static double consumed(const struct op_subject *s, const struct journal_account_view *account)
{
    return s->index.len ? index_of(s, account).units : account->account.table_units;
}

static void count_subject(struct counting *n, const struct op_subject *s,
                          const struct journal_account_view *account, double share)
{
    struct buf key = buf_in(n->scratch);
    struct partition *p;

    if (!read_key(n, s, account, &key))
        return;
    if (!(p = find_partition(n, account->name, s->index, buf_span(&key)))) {
        n->others++;
        return;
    }
    if (account->account.writes) {
        p->writes++;
        p->write_units += consumed(s, account) * share;
    } else {
        p->reads++;
        p->read_units += consumed(s, account) * share;
    }
}

static void count_account(struct counting *n, const struct op_subjects *subjects,
                          const struct journal_account_view *account)
{
    size_t named = 0;

    if (n->table.len && !span_equal(n->table, account->name))
        return;
    for (size_t i = 0; i < subjects->len; i++)
        named += span_equal(subjects->at[i].table, account->name);
    for (size_t i = 0; i < subjects->len; i++)
        if (span_equal(subjects->at[i].table, account->name))
            count_subject(n, &subjects->at[i], account, 1.0 / (double)named);
}

static void count_entry(struct counting *n, const struct journal_entry *e)
{
    struct journal_account_view account;
    struct op_subjects subjects;
    const wire_node *body;
    size_t at = 0;

    if (!e->account_count || wire_parse(n->scratch, journal_entry_body(e), &body))
        return;
    subjects = op_subject_all(n->scratch, body);
    while (journal_entry_account(e, &at, &account))
        count_account(n, &subjects, &account);
}

/* --- the work --------------------------------------------------------------------------------- */

static bool step_counting(struct admin_work *w)
{
    const struct journal *j = world_journal(w->world);
    struct counting *n = w->state;

    if (n->next_id < journal_first(j))
        n->next_id = journal_first(j);
    for (size_t i = 0; i < SLICE && n->next_id <= journal_last(j); i++) {
        arena_reset(n->scratch);
        count_entry(n, journal_find(j, n->next_id++));
    }
    return n->next_id > journal_last(j);
}

static double units_of(const struct partition *p)
{
    return p->read_units + p->write_units;
}

static int by_units(const void *one, const void *two)
{
    const struct partition *a = *(struct partition *const *)one;
    const struct partition *b = *(struct partition *const *)two;

    return (units_of(a) < units_of(b)) - (units_of(a) > units_of(b));
}

static void put_partition(struct wire_writer *w, const struct partition *p)
{
    wire_open(w, '{');
    wire_put_member_text(w, "table", p->table);
    wire_put_set_text(w, "index", p->index);
    wire_put_member_raw(w, "key", p->key);
    wire_put_member_integer(w, "reads", (int64_t)p->reads);
    wire_put_member_integer(w, "writes", (int64_t)p->writes);
    wire_key(w, "read_units");
    wire_put_double(w, p->read_units);
    wire_key(w, "write_units");
    wire_put_double(w, p->write_units);
    wire_close(w, '}');
}

static const struct problem *answer_partitions(struct admin_call *c, struct admin_work *w)
{
    struct counting *n = w->state;

    if (n->count)
        qsort(n->all, n->count, sizeof(struct partition *), by_units);
    wire_open_member(&c->out, "partitions", '[');
    for (size_t i = 0; i < n->count && i < n->limit; i++)
        put_partition(&c->out, n->all[i]);
    wire_close(&c->out, ']');
    wire_put_member_integer(&c->out, "others", (int64_t)n->others);
    return NULL;
}

static void end_counting(struct admin_work *w)
{
    struct counting *n = w->state;

    arena_free(n->arena);
    arena_free(n->scratch);
    free(n);
}

static const struct admin_job job = {
    .step = step_counting, .answer = answer_partitions, .end = end_counting};

static const struct problem *read_limit(struct admin_call *c, size_t *out)
{
    struct span text = admin_filter(c, "limit");
    uint64_t limit;

    if (!text.at)
        return NULL;
    if (!admin_read_number(text, &limit) || limit < 1 || limit > MOST)
        return problem_invalid(c->arena, "limit is not a whole number from 1 to %d", MOST);
    *out = (size_t)limit;
    return NULL;
}

static const struct problem *show_partitions(struct admin_call *c)
{
    const struct problem *p;
    struct counting *n;
    size_t limit = SHOWN;
    struct span table;

    if ((p = read_limit(c, &limit)) || (p = admin_read_table(c, &table)))
        return p;
    n = process_zeroed(sizeof *n);
    n->arena = arena_new();
    n->scratch = arena_new();
    admin_begin(c, &job, n);
    n->all = arena_array(n->arena, MOST, sizeof(struct partition *));
    n->table = arena_span(n->arena, table);
    n->limit = limit;
    return NULL;
}

const struct admin_verb verb_partitions[] = {
    {"GET", "metrics/partitions", 0, NULL, "table limit", show_partitions},
    {0},
};
