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
    int64_t from_s; /* the seconds that are shown one by one, if any */
    size_t seconds;
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

/* Seconds without load are left out. */
static void put_seconds(struct wire_writer *w, const struct counting *n, const struct partition *p)
{
    wire_open_member(w, "seconds", '[');
    for (size_t i = 0; p->seconds && i < n->seconds; i++) {
        const struct partition_second *s = &p->seconds[i];

        if (s->read_units == 0 && s->write_units == 0)
            continue;
        wire_open(w, '{');
        wire_put_member_integer(w, "at", n->from_s + (int64_t)i);
        wire_key(w, "read_units");
        wire_put_double(w, (double)s->read_units);
        wire_key(w, "write_units");
        wire_put_double(w, (double)s->write_units);
        wire_close(w, '}');
    }
    wire_close(w, ']');
}

static void put_partition(struct wire_writer *w, const struct counting *n,
                          const struct partition *p)
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
    if (n->seconds)
        put_seconds(w, n, p);
    wire_close(w, '}');
}

static const struct problem *answer_partitions(struct admin_call *c, struct admin_work *w)
{
    struct counting *n = w->state;
    size_t count;
    struct partition *const *all = partition_load_sorted(n->load, &count);

    wire_open_member(&c->out, "partitions", '[');
    for (size_t i = 0; i < count && i < n->limit; i++)
        put_partition(&c->out, n, all[i]);
    wire_close(&c->out, ']');
    if (n->seconds)
        wire_put_member_integer(&c->out, "from", n->from_s);
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

static const struct problem *show_partitions(struct admin_call *c)
{
    const struct problem *p;
    struct counting *n;
    uint64_t limit = SHOWN, seconds = 0;
    struct span table;

    if ((p = admin_read_count(c, "limit", PARTITION_LOAD_MOST, &limit)) ||
        (p = admin_read_count(c, "seconds", PARTITION_LOAD_SECONDS, &seconds)) ||
        (p = admin_read_table(c, &table)))
        return p;
    n = process_zeroed(sizeof *n);
    n->load = partition_load_new(table);
    n->limit = (size_t)limit;
    n->seconds = (size_t)seconds;
    n->from_s = clock_now_ms(world_clock(c->world)) / 1000 - (int64_t)seconds + 1;
    partition_load_by_second(n->load, n->from_s, n->seconds);
    admin_begin(c, &job, n);
    return NULL;
}

const struct admin_verb verb_partitions[] = {
    {"GET", "metrics/partitions", ADMIN_OWN, NULL, "table limit seconds", show_partitions},
    {0},
};
