/* op.h: operations and calls.
 *
 * An operation is a row in op_table.c: its name, its members and its function. dispatch parses the
 * body, checks JSON types and members, opens a unit of work in the store, runs the function and
 * sends the reply that it wrote or the error that it returned. Adding an operation:
 * CONTRIBUTING.md. */
#pragma once

#include "base/clock.h"
#include "store/unit.h"
#include "wire/wire_reply.h"
#include "wire/wire_shape.h"

struct buckets;

/* The server's options, shared by all calls. */
struct settings {
    struct span region;             /* "us-east-1"; the default region */
    struct span account;            /* "123456789012" */
    int64_t transition_ms;          /* how long CREATING, UPDATING and DELETING last; 0: at once */
    int64_t index_transition_ms;    /* the minimum for indexes that UpdateTable adds */
    int64_t stream_shards;          /* shards of a new stream; 0 counts as 1 */
    int64_t ttl_sweep_ms;           /* from an item's expiry to its deletion; 0: never */
    const struct span *kept_tables; /* tables whose items do not expire */
    size_t kept_table_count;
    int64_t workers; /* processes that answer requests with this one; 0: it is the only one */
    bool read_only;  /* writes are denied, and nothing changes by itself */
    bool regional;   /* each region has its own tables */
    const char *kinesis_out;             /* folder for records for Kinesis, or NULL */
    struct kinesis_files *kinesis_files; /* the world's files in this folder */
    struct kinesis_sink *kinesis_sink;   /* takes the records, or NULL; without both: no records */
    bool kinesis_elsewhere;              /* another process sends the records of this one */
    struct span world;                   /* name of the call's world; empty: the first world */
    struct buckets *buckets;             /* for exports and imports (ops/transfer/buckets.h) */
    size_t item_collection_limit;        /* in bytes (ops/collection.h); 0: no limit */
    int64_t replica_lag_ms;              /* until a write reaches other regions' replicas */
    bool extended_search;                /* search conditions may have more than equality */
};

/* Whether the table's items never expire. */
static inline bool op_keeps_items(const struct settings *s, struct span table)
{
    for (size_t i = 0; i < s->kept_table_count; i++)
        if (span_equal(s->kept_tables[i], table))
            return true;
    return false;
}

/* The region whose tables a request uses that is signed for this one, as in call.region: "" is the
 * default region, which has all tables if the server does not separate regions. */
static inline struct span op_region_signed(const struct settings *s, struct span region)
{
    return s->regional && !span_equal(region, s->region) ? region : (struct span){"", 0};
}

struct capacity;
struct disturbance;
struct kinesis_files;
struct kinesis_sink;
struct op_seen;
struct past;
struct metrics;
struct throttle;

/* Kinds of work between requests that calls cause; jobs/ has a job for each. */
enum wake {
    WAKE_SETTLE,
    WAKE_BACKFILL,
    WAKE_REAP,
    WAKE_TRIM,
    WAKE_FORGET,
    WAKE_EXPIRE,
    WAKE_COPY,
    WAKE_LAPSE,
    WAKE_RESTORE,
    WAKE_OUTDATE,
    WAKE_DELIVER,
    WAKE_TRANSFER,
    WAKE_REPLICATE,
    WAKE_RENEW,
    WAKE_METER,
    WAKE_COUNT
};

struct call {
    struct arena *arena; /* the request's memory */
    struct store *store;
    struct unit *unit; /* for reads and writes of entries; NULL outside of a unit */
    struct clock *clock;
    const struct settings *settings;
    struct span region;           /* the region of its tables; "": the default region */
    struct settled *settled;      /* due tables, as reads see them: ops/table/table_state.c */
    int64_t wakes_ms[WAKE_COUNT]; /* when this work is due (op_wake); 0: no work */
    const struct op *op;          /* NULL between requests */
    const wire_node *body;
    struct span host;          /* Host header, for DescribeEndpoints; may be empty */
    struct wire_writer reply;  /* its top-level object is open while the operation runs */
    bool asked;                /* fault rules were asked about it */
    bool conflicts;            /* too many were met: a transaction ends with TransactionConflict */
    bool unfinished;           /* set by the operation: call it again for the next part */
    bool no_body;              /* set by the operation: the answer has an empty body */
    struct capacity *accounts; /* of the tables that it reads and writes: ops/capacity.h */
    struct span access_key;    /* of the caller; may be empty */
    const struct disturbance *disturbance; /* injected faults; NULL: none */
    struct past *past;                     /* records changes; NULL: not needed */
    struct metrics *metrics;               /* of earlier calls (metrics_sum); NULL: not counted */
    struct throttle *throttle;             /* ops/throttle/throttle.h; NULL: no throttling */
    struct op_seen *seen; /* the item that the caller saw: ops/op_seen.h; or NULL */
    int64_t steps;        /* at its end, the steps that it took: base/arena.h */
};

/* --- the region of a call ---------------------------------------------------------------------
 *
 * If the server separates regions, it is the region that the request is signed for; otherwise it is
 * the default region. Jobs, and work in several regions, set call.region. The call does not see
 * tables of other regions. */

/* The region's name, for ARNs. */
static inline struct span op_region(const struct call *c)
{
    return c->region.len ? c->region : c->settings->region;
}

/* The form of a region's name in call.region: "" is the default region. */
static inline struct span op_region_key(const struct call *c, struct span region)
{
    return span_equal(region, c->settings->region) ? (struct span){"", 0} : region;
}

/* Returns the region's table called name, or NULL. */
static inline const struct table *op_region_table(const struct call *c, struct span name)
{
    return store_table(c->store, schema_id(c->arena, c->region, name));
}

/* Returns the region's first table behind `name` in byte order, or NULL. */
static inline const struct table *op_region_table_after(const struct call *c, struct span name)
{
    const struct table *t = store_table_after(c->store, schema_id(c->arena, c->region, name));

    return t && span_equal(t->region, c->region) ? t : NULL;
}

/* --- work in units, and between requests ------------------------------------------------------ */

/* The work; `data` is the argument of op_unit_run. */
typedef const struct error *op_work(struct call *c, void *data);

/* Runs the work in a new unit, which is c->unit during the work. The unit is committed, or undone
 * if the work returns an error. */
MUST_CHECK const struct error *op_unit_run(struct call *c, enum unit_kind kind, op_work *work,
                                           void *data);

/* Reports work of a kind that is due at at_ms, in milliseconds since 1970. The earliest time
 * counts. */
static inline void op_wake(struct call *c, enum wake what, int64_t at_ms)
{
    int64_t *mark = &c->wakes_ms[what];

    if (!*mark || at_ms < *mark)
        *mark = at_ms;
}

/* Drops a space of the store; its entries are removed between requests. */
MUST_CHECK const struct error *op_wake_drop_space(struct call *c, uint32_t space);

/* --- how long transitional states last -------------------------------------------------------- */

/* When a transition that begins now ends. */
static inline int64_t op_transition_end(const struct call *c)
{
    return clock_now_ms(c->clock) + c->settings->transition_ms;
}

/* Like op_transition_end, for the states of an index that UpdateTable adds, and of its table. */
static inline int64_t op_transition_index_end(const struct call *c)
{
    const struct settings *s = c->settings;

    return clock_now_ms(c->clock) +
           (s->index_transition_ms > s->transition_ms ? s->index_transition_ms : s->transition_ms);
}

/* Makes the draft UPDATING; its change takes effect when the transition ends. */
static inline void op_transition_begin(const struct call *c, struct table *draft,
                                       enum table_change change)
{
    draft->status = STATUS_UPDATING;
    draft->change = change;
    draft->transition_until_ms = op_transition_end(c);
}

/* --- operations ------------------------------------------------------------------------------- */

/* The services on this port; tools expect the later ones beside DynamoDB. */
enum op_service {
    OP_DYNAMODB,
    OP_STREAMS,
    OP_MONITORING, /* CloudWatch */
    OP_SCALING,    /* application auto scaling */
    OP_TAGGING,    /* the resource groups tagging API */
    OP_KEYS,       /* KMS */
    OP_IDENTITY,   /* STS */
    OP_SERVICE_COUNT
};
/* OP_MAY_WRITE: depends on its statements. */
enum op_access { OP_READS, OP_WRITES, OP_MAY_WRITE };

/* How a request names the items that it reads or writes. One bit each: a set of forms is a mask. */
enum op_form {
    OP_NO_ITEMS = 0, /* tables, backups, tags … */
    OP_GET = 1 << 0,
    OP_BATCH_GET = 1 << 1,
    OP_TRANSACT_GET = 1 << 2,
    OP_QUERY = 1 << 3,
    OP_SCAN = 1 << 4,
    OP_SEARCH = 1 << 5,
    OP_PUT = 1 << 6,
    OP_UPDATE = 1 << 7,
    OP_DELETE = 1 << 8,
    OP_BATCH_WRITE = 1 << 9,
    OP_TRANSACT_WRITE = 1 << 10,
    OP_STATEMENT = 1 << 11,
    OP_BATCH_STATEMENT = 1 << 12,
    OP_TRANSACT_STATEMENT = 1 << 13,
    OP_RECORDS = 1 << 14,
    OP_PAGES = OP_QUERY | OP_SCAN | OP_STATEMENT, /* answers with a page of items */
    /* Policies allow these by the actions on their items; they are not actions themselves. */
    OP_BY_ITEMS = OP_TRANSACT_GET | OP_TRANSACT_WRITE | OP_STATEMENT | OP_BATCH_STATEMENT |
                  OP_TRANSACT_STATEMENT,
};

/* The members with which a client requests the pages of an answer. */
struct op_paging {
    const char *input_token, *output_token;
    const char *limit;      /* NULL: pages have no size */
    const char *results[4]; /* members that a client joins; the first is the list; ends with NULL */
    const char *once;       /* member that counts on the first page only, or NULL */
};
extern const struct op_paging op_pages_of_items; /* of Query and Scan */

struct op {
    const char *name;
    enum op_service service;           /* default: OP_DYNAMODB */
    enum op_access access;             /* default: OP_READS; others may write in their unit */
    enum op_form form;                 /* default: OP_NO_ITEMS */
    const struct op_paging *paging;    /* NULL: the AWS CLI does not page it */
    const struct wire_member *members; /* ends with a NULL name */
    unsigned table_use;                /* enum schema_use: members of tables that it has as well */
    /* The members of the answer, for services whose protocol is not JSON. */
    const struct wire_member *result;
    bool sliced;   /* it may set call.unfinished; it must not write */
    bool once;     /* refused when it is sent again after it took effect */
    bool compares; /* it compares the stored item with call.seen before it writes */
    /* Own checks of JSON types, before the checks of members; may be NULL. */
    const struct error *(*types)(struct call *c);
    /* Own checks of JSON content that come before the member constraints; may be NULL. */
    const struct error *(*precheck)(struct call *c);
    const struct error *(*run)(struct call *c);
};

/* The i-th operation of a service, in byte order of their names; NULL after the last. */
const struct op *op_at(enum op_service service, size_t i);

/* Returns the operation called name, or NULL. */
const struct op *op_find(enum op_service service, struct span name);

/* Returns the operation of an action, or NULL: "GetItem", or "kms:DescribeKey", with its service as
 * IAM calls it. A name alone is looked for in DynamoDB and its streams first. */
const struct op *op_of_action(struct span action);

/* The action of an operation: its name, of other services than DynamoDB with the service's. */
const char *op_action(struct arena *a, const struct op *op);

/* All members of the operation's requests: its own, then those of tables. */
const struct wire_member *op_members(struct arena *a, const struct op *op);

/* Whether the member is one of the operation's own. */
bool op_takes(const struct op *op, const char *member);

/* Fails with AccessDeniedException if the server is read-only. `action` is the denied action,
 * "PutItem". */
MUST_CHECK const struct error *op_access_check_write(struct call *c, const char *action);
