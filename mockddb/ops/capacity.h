/* capacity.h: a call's accounts: the units and items that it used, for each table and index, and
 * the ConsumedCapacity of replies.
 *
 * Each call counts everything; replies show it if the request asks for it. Source: developer
 * guide, "Read and write operations"; docs/behaviour/items.md, "Capacity". */
#pragma once

#include "ops/op.h"

/* The partition of the newest work on a table or index. */
struct capacity_place {
    bool spread;   /* spread over all partitions, like a Scan */
    uint32_t hash; /* otherwise, a hash of its key (model/key.h) */
};

struct capacity_index {
    double units; /* for a vector index: bytes written or searched */
    bool used;    /* the index took part, even with 0 units */
    struct capacity_place place;
    size_t throttled; /* keys or writes that were throttled by the index */
};

/* The units and items that a call used of one table. */
struct capacity {
    const struct table *table;
    struct span name;    /* for replies: the table's name, or the request's ARN */
    bool writes;         /* the units are write units */
    bool shows_kind;     /* transactions: replies also have Read- or WriteCapacityUnits */
    double table_factor; /* factor for the table's own units: 1, in transactions 2 */
    double table_units;
    struct capacity_index *indexes; /* one for each index of the table */
    struct capacity_place place;

    /* Reads for the answer, without reads for a write. */
    size_t items_read;     /* before any filter */
    size_t items_returned; /* items that matched the filter */
    size_t bytes_read;     /* sizes of all items read */
    size_t pages;          /* of Query, Scan and SELECT */
    size_t items_expired;  /* items deleted by time to live */
    size_t unprocessed;    /* unprocessed keys or writes of a batch */
    size_t throttled;      /* throttled keys, writes or actions */

    struct capacity *paid; /* the account at the last charge; NULL without throttling */
    struct capacity *next; /* in the order of the tables' first use */
};

/* Find or make the call's account of a table, under the table's name, or another name that the
 * request uses. Accounts live as long as the request. */
struct capacity *capacity_of(struct call *c, const struct table *t);
struct capacity *capacity_named(struct call *c, const struct table *t, struct span name);

/* Add units at a place. */
void capacity_add_table(struct capacity *used, struct capacity_place place, double units);
void capacity_add_index(struct capacity *used, const struct index *ix, struct capacity_place place,
                        double units);

/* The place of an entry key, and of a range of keys. */
struct capacity_place capacity_at(struct span key);
struct capacity_place capacity_over(struct span from, struct span to);

/* Counts a read of an item by its key: `bytes` is 0 without an item; `matches`: the item is
 * returned. */
void capacity_add_get(struct capacity *used, struct capacity_place place, size_t bytes,
                      bool consistent, bool matches);

/* The total units of an account, without the bytes of vector indexes. */
double capacity_total(const struct capacity *used);

/* Units for reading (strongly consistent) or writing `bytes` at once; at least 1. */
double capacity_read_units(size_t bytes);

/* The price of a read unit on demand, us-east-1, November 2024. */
#define CAPACITY_USD (0.125 / 1e6)
double capacity_write_units(size_t bytes);
/* The charged bytes of a write or search of a vector index. */
double capacity_vector_bytes(size_t bytes);

/* Write ConsumedCapacity if the request asks for it: of the call's only table, or a list of all
 * accounts. */
void capacity_reply(struct call *c);
void capacity_reply_list(struct call *c);
/* Like capacity_reply, for a search of a vector index. The service writes the bytes under two
 * names, one of which is not in its model. */
void capacity_reply_search(struct call *c, double bytes);
