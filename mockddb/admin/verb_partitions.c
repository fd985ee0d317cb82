/* GET /_mockddb/metrics/partitions: the most used partition keys, like contributor insights,
 * counted from the requests in the journal. */
#include "admin/admin_verb.h"
#include "journal/partition_load.h"

#include <stdlib.h>

#define SLICE ((size_t)512 * 1024) /* bytes of requests that are processed in one slice … */
#define ENTRY ((size_t)1024)       /* … of which each counts as these in addition */
#define SHOWN 20                   /* default limit */

struct counting {
    struct partition_load *load;
    size_t limit;
    uint64_t next_id;
};

static bool step_counting(struct admin_work *w)
{
    const struct journal *j = world_journal(w->world);
    struct counting *n = w->state;

    if (n->next_id < journal_first(j))
        n->next_id = journal_first(j);
    for (size_t bytes = 0; bytes < SLICE && n->next_id <= journal_last(j);) {
        const struct journal_entry *e = journal_find(j, n->next_id++);

        partition_load_take(n->load, e);
        bytes += ENTRY + journal_entry_body(e).len;
    }
    return n->next_id > journal_last(j);
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
    size_t count;
    struct partition *const *all = partition_load_sorted(n->load, &count);

    wire_open_member(&c->out, "partitions", '[');
    for (size_t i = 0; i < count && i < n->limit; i++)
        put_partition(&c->out, all[i]);
    wire_close(&c->out, ']');
    wire_put_member_integer(&c->out, "others", (int64_t)partition_load_others(n->load));
    return NULL;
}

static void end_counting(struct admin_work *w)
{
    struct counting *n = w->state;

    partition_load_free(n->load);
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
    if (!admin_read_number(text, &limit) || limit < 1 || limit > PARTITION_LOAD_MOST)
        return problem_invalid(c->arena, "limit is not a whole number from 1 to %d",
                               PARTITION_LOAD_MOST);
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
    n->load = partition_load_new(table);
    n->limit = limit;
    admin_begin(c, &job, n);
    return NULL;
}

const struct admin_verb verb_partitions[] = {
    {"GET", "metrics/partitions", ADMIN_OWN, NULL, "table limit", show_partitions},
    {0},
};
