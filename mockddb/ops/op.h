/* op.h: what an operation is, and what a call of it works with.
 *
 * An operation is a row in op_table.c: its name, the members it takes, and the function that
 * does it. dispatch parses the body, checks JSON types and members against the table, opens a
 * unit of work in the store, runs the function and sends what it wrote, or the error it
 * returned. Adding an operation: CONTRIBUTING.md. */
#ifndef OPS_OP_H
#define OPS_OP_H

#include "base/clock.h"
#include "model/error.h"
#include "store/unit.h"
#include "wire/wire_body.h"
#include "wire/wire_reply.h"
#include "wire/wire_shape.h"

struct buckets;

/* What the options of the start say; the same for all calls. */
struct settings {
    struct span region;             /* "us-east-1"; of requests that name none */
    struct span account;            /* "123456789012" */
    int64_t transition_ms;          /* how long CREATING, UPDATING and DELETING last; 0: at once */
    int64_t index_transition_ms;    /* at least so long for an index that a table gets later */
    uint32_t stream_shards;         /* shards of a new stream; 0 counts as 1 */
    int64_t ttl_sweep_ms;           /* from an item's time to live to its deletion; 0: it stays */
    const struct span *kept_tables; /* whose items do not expire */
    size_t kept_table_count;
    bool read_only;          /* writes are denied, and nothing changes by itself */
    bool regional;           /* each region that requests are signed for has tables of its own */
    const char *kinesis_out; /* folder of the records for Kinesis, or NULL … */
    struct kinesis_files *kinesis_files; /* … in which these are the world's */
    struct kinesis_sink *kinesis_sink;   /* who takes them, or NULL; without both there are none */
    struct span world;                   /* whose call it is; empty: the first one's */
    struct buckets *buckets; /* where exports go and imports come from (ops/transfer/buckets.h) */
    size_t item_collection_limit; /* bytes of one (ops/collection.h); 0: any */
    int64_t replica_lag_ms;       /* until a write shows in other regions' replicas */
    bool extended_search;         /* a search's condition may ask for more than equality */
};

/* Whether the table's items stay when their time to live is over. */
static inline bool op_keeps_items(const struct settings *s, struct span table)
{
    for (size_t i = 0; i < s->kept_table_count; i++)
        if (span_equal(s->kept_tables[i], table))
            return true;
    return false;
}

struct capacity;
struct disturbance;
struct kinesis_files;
struct kinesis_sink;
struct op_seen;
struct past;
struct metrics;
struct throttle;

/* Kinds of work between requests that calls give rise to; jobs/ has a job for each. */
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
    WAKE_COUNT
};

struct call {
    struct arena *arena; /* the request's memory */
    struct store *store;
    struct unit *unit; /* what entries are read and written in; NULL where no work is under way */
    struct clock *clock;
    const struct settings *settings;
    struct span region;           /* whose tables it works with; "": the default one's */
    struct settled *settled;      /* tables whose changes are due, as reads see them: ops/table/table_state.c */
    int64_t wakes_ms[WAKE_COUNT]; /* from when on there is such work (op_wake); 0: none */
    const struct op *op;          /* NULL between requests */
    const wire_node *body;
    struct span host;          /* Host header, for DescribeEndpoints; may be empty */
    struct wire_writer reply;  /* the reply's top-level object is open while the operation runs */
    bool unfinished;           /* set by the operation: a part is done, the request comes again */
    bool no_body;              /* set by the operation: the answer has an empty body */
    struct capacity *accounts; /* of the tables that it reads and writes: ops/capacity.h */
    struct span access_key;    /* of whoever calls; may be empty */
    const struct disturbance *disturbance; /* of what is to go otherwise; NULL: nothing is */
    struct past *past;                     /* what changes are noted in; NULL: nobody looks back */
    const struct metrics *metrics;         /* what was asked before; NULL: nobody counts */
    struct throttle *throttle;             /* ops/throttle/throttle.h; NULL: nothing is refused */
    struct op_seen *seen; /* what the caller saw: ops/op_seen.h; NULL: it does not say */
    int64_t steps;        /* of its budget that it took, when it is over: base/arena.h */
};

/* The neighbours behind the first two: services that tools ask on the same port. */
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
/* OP_MAY_WRITE: whether it does shows in its statements only. */
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
    /* A policy allows it by the actions on its items: it is no action itself. */
    OP_BY_ITEMS = OP_TRANSACT_GET | OP_TRANSACT_WRITE | OP_STATEMENT | OP_BATCH_STATEMENT |
                  OP_TRANSACT_STATEMENT,
};

/* How a client asks for the pages of an answer one after the other. */
struct op_paging {
    const char *input_token, *output_token;
    const char *limit; /* NULL: pages have no size */
    const char
        *results[4];  /* members that a client puts together, up to NULL; the first is the list */
    const char *once; /* member that counts on the first page only, or NULL */
};
extern const struct op_paging op_pages_of_items; /* of Query and Scan */

struct op {
    const char *name;
    enum op_service service;           /* OP_DYNAMODB where nothing is said */
    enum op_access access;             /* unless OP_READS, its unit of work may write */
    enum op_form form;                 /* OP_NO_ITEMS where nothing is said */
    const struct op_paging *paging;    /* NULL: the AWS CLI does not page it */
    const struct wire_member *members; /* ends with a NULL name */
    /* Of services that speak other protocols than JSON: the members of the answer. */
    const struct wire_member *result;
    bool sliced;   /* it may be unfinished; it writes nothing */
    bool once;     /* refused when it is sent again after it took effect */
    bool compares; /* it compares the stored item with call.seen before it writes */
    /* Own checks of JSON types, before those of the members; may be NULL. */
    const struct error *(*types)(struct call *c);
    /* Own checks of JSON content that come before the member constraints; may be NULL. */
    const struct error *(*precheck)(struct call *c);
    const struct error *(*run)(struct call *c);
};

/* The operations of a service one by one, in byte order of their names; NULL behind the last. */
const struct op *op_at(enum op_service service, size_t i);

/* The operation of that name, or NULL. */
const struct op *op_find(enum op_service service, struct span name);

/* Whether requests have the member at their top level. */
bool op_takes(const struct op *op, const char *member);

#endif
