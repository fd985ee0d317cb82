#include "journal/partition_load.h"

#include "base/hash.h"
#include "ops/op_subject.h"

#include <stdlib.h>

#define CHAINS 4096 /* a power of two */

struct partition_load {
    struct arena *arena; /* for the partitions */
    struct arena *scratch;
    struct span table; /* empty: all tables */
    struct partition *chains[CHAINS];
    struct partition **all;
    size_t count;
    uint64_t others;
    int64_t from_s; /* the seconds that are counted one by one */
    size_t second_count;
    int64_t second; /* of the entry, from that one on */
};

struct partition_load *partition_load_new(struct span table)
{
    struct partition_load *n = process_zeroed(sizeof *n);

    n->arena = arena_new();
    n->scratch = arena_new();
    n->all = arena_array(n->arena, PARTITION_LOAD_MOST, sizeof(struct partition *));
    n->table = arena_span(n->arena, table);
    return n;
}

void partition_load_by_second(struct partition_load *n, int64_t from_s, size_t count)
{
    n->from_s = from_s;
    n->second_count = count;
}

void partition_load_free(struct partition_load *n)
{
    if (!n)
        return;
    arena_free(n->arena);
    arena_free(n->scratch);
    free(n);
}

/* --- counting --------------------------------------------------------------------------------- */

static struct partition *find_partition(struct partition_load *n, struct span table,
                                        struct span index, struct span key)
{
    uint64_t hash = hash_bytes(key) ^ hash_bytes(table) ^ hash_bytes(index);
    struct partition **chain = &n->chains[hash & (CHAINS - 1)];
    struct partition *p = *chain;

    while (p &&
           !(span_equal(p->key, key) && span_equal(p->table, table) && span_equal(p->index, index)))
        p = p->next;
    if (p || n->count == PARTITION_LOAD_MOST)
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
static bool read_key(struct partition_load *n, const struct op_subject *s,
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

static void count_subject(struct partition_load *n, const struct op_subject *s,
                          const struct journal_account_view *account, double share)
{
    struct buf key = buf_in(n->scratch);
    struct partition *p;
    double units;

    if (!read_key(n, s, account, &key))
        return;
    if (!(p = find_partition(n, account->name, s->index, buf_span(&key)))) {
        n->others++;
        return;
    }
    units = consumed(s, account) * share;
    if (account->account.writes) {
        p->writes++;
        p->write_units += units;
    } else {
        p->reads++;
        p->read_units += units;
    }
    if (n->second < 0 || n->second >= (int64_t)n->second_count)
        return;
    if (!p->seconds)
        p->seconds = arena_array(n->arena, n->second_count, sizeof *p->seconds);
    if (account->account.writes)
        p->seconds[n->second].write_units += (float)units;
    else
        p->seconds[n->second].read_units += (float)units;
}

void partition_load_take(struct partition_load *n, const struct journal_entry *e)
{
    struct journal_account_view account;
    struct op_subjects subjects;
    const wire_node *body;
    size_t at = 0;

    arena_reset(n->scratch);
    if (!e->account_count || wire_parse(n->scratch, journal_entry_body(e), &body))
        return;
    subjects = op_subject_all(n->scratch, body);
    n->second = e->began_ms / 1000 - n->from_s;
    while (journal_entry_account(e, &at, &account)) {
        size_t named = 0;

        if (!n->table.len || span_equal(n->table, account.name)) {
            for (size_t i = 0; i < subjects.len; i++)
                named += span_equal(subjects.at[i].table, account.name);
            for (size_t i = 0; i < subjects.len; i++)
                if (span_equal(subjects.at[i].table, account.name))
                    count_subject(n, &subjects.at[i], &account, 1.0 / (double)named);
        }
    }
}

/* --- the result ------------------------------------------------------------------------------- */

double partition_load_units(const struct partition *p)
{
    return p->read_units + p->write_units;
}

static int by_units(const void *one, const void *two)
{
    const struct partition *a = *(struct partition *const *)one;
    const struct partition *b = *(struct partition *const *)two;

    return (partition_load_units(a) < partition_load_units(b)) -
           (partition_load_units(a) > partition_load_units(b));
}

struct partition *const *partition_load_sorted(struct partition_load *n, size_t *count)
{
    if (n->count)
        qsort(n->all, n->count, sizeof(struct partition *), by_units);
    *count = n->count;
    return n->all;
}

uint64_t partition_load_others(const struct partition_load *n)
{
    return n->others;
}
