#include "dispatch/metering.h"

#include "ops/table/table_arn.h"

#include <stdlib.h>

#define LANES     32 /* a power of two */
#define MINUTE_MS (60 * LIMIT_SECOND_MS)

/* The series of one operation on one table. */
struct lane {
    const struct op *op; /* NULL: the lane is empty */
    uint32_t space;      /* the table's */
    bool writes;
    uint64_t generation; /* of the metrics */
    struct metrics_series *units, *latency;
    struct metrics_series *returned; /* NULL: the operation returns no items */
};

struct metering {
    struct observer observer; /* first */
    struct metrics *metrics;
    uint64_t generation; /* of the metrics, in this call */
    struct span region;  /* of this call */
    struct lane lanes[LANES];
};

static struct metrics_series *series_of(const struct metering *m, enum metric metric,
                                        struct span table, struct span detail)
{
    struct metrics_key key = {metric, table, detail, m->region};

    return metrics_find(m->metrics, &key);
}

static void add_metric(const struct metering *m, enum metric metric, struct span table,
                       struct span detail, int64_t minute, double value)
{
    metrics_add(m->metrics, series_of(m, metric, table, detail), minute, value);
}

/* --- lanes ------------------------------------------------------------------------------------ */

NO_INLINE static void open_lane(const struct metering *m, struct lane *l, const struct op *op,
                                const struct capacity *used)
{
    struct span table = used->table->name, operation = span_of(op->name);

    *l = (struct lane){
        .op = op,
        .space = used->table->space,
        .writes = used->writes,
        .generation = m->generation,
        .units = series_of(m, used->writes ? METRIC_WRITE_UNITS : METRIC_READ_UNITS, table,
                           (struct span){"", 0}),
        .latency = series_of(m, METRIC_LATENCY, table, operation),
        .returned = (op->form & OP_PAGES) && !used->writes
                        ? series_of(m, METRIC_RETURNED_ITEMS, table, operation)
                        : NULL,
    };
}

/* Operations that sometimes read and sometimes write have two lanes. */
static struct lane *lane_of(struct metering *m, const struct op *op, const struct capacity *used)
{
    uintptr_t hash = ((uintptr_t)op >> 4) + (uintptr_t)used->table->space * 7 + used->writes;
    struct lane *l = &m->lanes[hash & (LANES - 1)];

    if (l->op != op || l->space != used->table->space || l->writes != used->writes ||
        l->generation != m->generation)
        open_lane(m, l, op, used);
    return l;
}

/* --- accounts --------------------------------------------------------------------------------- */

/* Units of local indexes count for the table; global indexes have series of their own, as do the
 * bytes of vector indexes. */
NO_INLINE static double add_indexes(const struct metering *m, const struct capacity *used,
                                    int64_t minute)
{
    enum metric metric = used->writes ? METRIC_WRITE_UNITS : METRIC_READ_UNITS;
    const struct table *t = used->table;
    double local = 0;

    for (size_t i = 0; i < t->index_count; i++) {
        if (!used->indexes[i].used)
            continue;
        if (schema_kind(&t->indexes[i]) == KIND_VECTOR)
            add_metric(m, used->writes ? METRIC_VECTOR_WRITE : METRIC_VECTOR_SEARCH, t->name,
                       t->indexes[i].name, minute, used->indexes[i].units);
        else if (t->indexes[i].global)
            add_metric(m, metric, t->name, t->indexes[i].name, minute, used->indexes[i].units);
        else
            local += used->indexes[i].units;
    }
    return local;
}

static void add_account(struct metering *m, const struct call_record *r,
                        const struct capacity *used, int64_t minute)
{
    double units = used->table_units;
    struct lane *l;

    if (used->table->index_count)
        units += add_indexes(m, used, minute);
    l = lane_of(m, r->op, used);
    if (units > 0)
        metrics_add(m->metrics, l->units, minute, units);
    if (r->error)
        return;
    metrics_add(m->metrics, l->latency, minute, (double)r->took_us / 1000);
    if (l->returned)
        metrics_add(m->metrics, l->returned, minute, (double)used->items_returned);
}

/* --- errors ----------------------------------------------------------------------------------- */

/* The table of a failed request, if the request names it. */
static struct span table_of(const struct call_record *r)
{
    struct span name = wire_text(wire_get(r->body, "TableName"));
    struct arn arn;

    if (r->accounts)
        return r->accounts->table->name;
    if (span_starts_with(name, SPAN_LIT("arn:")) && table_arn_parse(name, &arn))
        name = arn.table;
    return name.len <= LIMIT_NAME ? name : (struct span){"", 0};
}

static void add_throttle(const struct metering *m, const struct call_record *r, struct span table,
                         int64_t minute, double items)
{
    struct span operation = span_of(r->op->name);
    bool writes = r->accounts ? r->accounts->writes : r->op->access == OP_WRITES;

    if (!table.len)
        return;
    add_metric(m, METRIC_THROTTLED_REQUESTS, table, operation, minute, 1);
    add_metric(m, writes ? METRIC_WRITE_THROTTLES : METRIC_READ_THROTTLES, table,
               (struct span){"", 0}, minute, items);
}

/* Whether keys, writes or actions were refused for lack of throughput; counts them. */
static bool add_refused(const struct metering *m, const struct call_record *r, int64_t minute)
{
    bool any = false;

    for (const struct capacity *used = r->accounts; used; used = used->next) {
        if (!used->throttled)
            continue;
        any = true;
        add_throttle(m, r, used->table->name, minute, (double)used->throttled);
        /* Each global index without capacity counts the same writes or reads. */
        for (size_t i = 0; i < used->table->index_count; i++)
            if (used->indexes[i].throttled)
                add_metric(m, used->writes ? METRIC_WRITE_THROTTLES : METRIC_READ_THROTTLES,
                           used->table->name, used->table->indexes[i].name, minute,
                           (double)used->indexes[i].throttled);
    }
    return any;
}

/* Actions of a cancelled transaction that met conflicts. */
static size_t count_conflicts(const struct error *e)
{
    size_t count = 0;

    for (size_t i = 0; i < e->reason_count; i++)
        count += e->reasons[i] && e->reasons[i]->kind == ERROR_TRANSACTION_CONFLICT;
    return count;
}

NO_INLINE static void add_error(const struct metering *m, const struct call_record *r,
                                int64_t minute)
{
    static const struct span none = SPAN_LIT_INIT("");
    struct span table = none;

    if (!error_is_at_the_door(r->error->kind)) /* in these cases the body was not read */
        table = table_of(r);
    switch (r->error->kind) {
    case ERROR_THROUGHPUT_EXCEEDED:
    case ERROR_THROTTLING:
    case ERROR_REQUEST_LIMIT:
        add_throttle(m, r, table, minute, 1);
        return;
    case ERROR_CONDITION_FAILED:
        if (table.len)
            add_metric(m, METRIC_CONDITION_FAILED, table, none, minute, 1);
        return;
    case ERROR_TRANSACTION_CONFLICT:
        if (table.len)
            add_metric(m, METRIC_CONFLICT, table, none, minute, 1);
        break;
    case ERROR_TRANSACTION_CANCELED:
        for (size_t i = count_conflicts(r->error); table.len && i; i--)
            add_metric(m, METRIC_CONFLICT, table, none, minute, 1);
        break;
    default:
        break;
    }
    if (r->status < 500)
        add_metric(m, METRIC_USER_ERRORS, none, none, minute, 1);
    else if (table.len)
        add_metric(m, METRIC_SYSTEM_ERRORS, table, span_of(r->op->name), minute, 1);
}

/* A batch of which faults left a part unprocessed for lack of capacity. */
NO_INLINE static void add_unprocessed(const struct metering *m, const struct call_record *r,
                                      int64_t minute)
{
    for (const struct capacity *used = r->accounts; used; used = used->next)
        if (used->unprocessed)
            add_throttle(m, r, used->table->name, minute, (double)used->unprocessed);
}

/* The table of a page of stream records: an iterator begins with the stream's ARN. */
NO_INLINE static void add_records(const struct metering *m, const struct call_record *r,
                                  int64_t minute)
{
    struct span iterator = wire_text(wire_get(r->body, "ShardIterator"));
    struct arn arn;

    if (!table_arn_parse(iterator, &arn) || !arn.table.len || arn.table.len > LIMIT_NAME)
        return;
    add_metric(m, METRIC_RETURNED_BYTES, arn.table, span_of(r->op->name), minute,
               (double)r->reply.len);
    add_metric(m, METRIC_LATENCY, arn.table, span_of(r->op->name), minute,
               (double)r->took_us / 1000);
}

/* --- the observer ----------------------------------------------------------------------------- */

static void count_call(struct observer *self, const struct call_record *r)
{
    struct metering *m = (struct metering *)self;
    int64_t minute = r->began_ms / MINUTE_MS;

    if (!r->op || r->op->service > OP_STREAMS)
        return;
    m->generation = metrics_make_room(m->metrics);
    m->region = r->region;
    for (const struct capacity *used = r->accounts; used; used = used->next)
        add_account(m, r, used, minute);
    if (add_refused(m, r, minute))
        return;
    if (r->error)
        add_error(m, r, minute);
    else if (r->disturbance)
        add_unprocessed(m, r, minute);
    else if (r->op->form == OP_RECORDS)
        add_records(m, r, minute);
}

static void count_work(struct observer *self, const struct capacity *accounts, int64_t now_ms)
{
    struct metering *m = (struct metering *)self;

    (void)metrics_make_room(m->metrics);
    for (const struct capacity *used = accounts; used; used = used->next) {
        m->region = used->table->region;
        if (used->items_expired)
            add_metric(m, METRIC_EXPIRED, used->table->name, (struct span){"", 0},
                       now_ms / MINUTE_MS, (double)used->items_expired);
    }
}

struct metering *metering_new(struct metrics *metrics)
{
    struct metering *m = process_zeroed(sizeof *m);

    m->observer.finished = count_call;
    m->observer.worked = count_work;
    m->metrics = metrics;
    return m;
}

void metering_forget_tables(struct metering *m)
{
    memset(m->lanes, 0, sizeof m->lanes);
}

void metering_free(struct metering *m)
{
    free(m);
}

struct observer *metering_observer(struct metering *m)
{
    return &m->observer;
}
