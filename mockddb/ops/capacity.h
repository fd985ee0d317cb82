/* capacity.h: a call's accounts: what it read and consumed, for each table and index, and how
 * replies show the units.
 *
 * Everything is counted in every call; replies show it where the request asks. Source: developer
 * guide, "Read and write operations"; docs/behaviour/items.md, "Capacity". */
#ifndef OPS_CAPACITY_H
#define OPS_CAPACITY_H

#include "ops/op.h"

/* Where in its hash order the newest work on a table or index was. */
struct capacity_place {
    bool spread;   /* all over it, as a Scan's is */
    uint32_t hash; /* else in the partition with this one (model/key.h) */
};

struct capacity_index {
    double units; /* of a vector index: bytes written or searched */
    bool used;    /* whether the index took part, even with 0 units */
    struct capacity_place place;
    size_t throttled; /* keys or writes that were refused because the index was full */
};

/* What one call consumed on one table. */
struct capacity {
    const struct table *table;
    struct span name; /* as replies show it: the table's name, or the ARN the request used */
    bool writes;      /* whether the units are of writing */
    bool shows_kind;  /* transactions: replies show the units as Read- or WriteCapacityUnits too */
    double table_factor; /* by which units of the table itself count: 1, in transactions 2 */
    double table_units;
    struct capacity_index *indexes; /* one for each index of the table */
    struct capacity_place place;

    /* What was read in answer to the request, not on the way to a write. */
    size_t items_read;     /* looked at, before any filter */
    size_t items_returned; /* of them: those that matched */
    size_t bytes_read;     /* sizes of the items looked at */
    size_t pages;          /* of Query, Scan and SELECT */
    size_t items_expired;  /* deleted between requests: their time to live was over */
    size_t unprocessed;    /* keys or writes of a batch that are left for the next request */
    size_t throttled;      /* of those, or of actions: refused for lack of throughput */

    struct capacity *paid; /* as it was when it was charged last; NULL where nothing is */
    struct capacity *next; /* in the order in which the call came to the tables */
};

/* The call's account of a table, which is begun where there is none; under the name by which the
 * request calls the table, or its own. Accounts live as long as the request. */
struct capacity *capacity_of(struct call *c, const struct table *t);
struct capacity *capacity_named(struct call *c, const struct table *t, struct span name);

/* Units of work at that place. */
void capacity_add_table(struct capacity *used, struct capacity_place place, double units);
void capacity_add_index(struct capacity *used, const struct index *ix, struct capacity_place place,
                        double units);

/* The place of an entry key, and of a range of them. */
struct capacity_place capacity_at(struct span key);
struct capacity_place capacity_over(struct span from, struct span to);

/* Counts a read of one item by its key: `bytes` are 0 where none was found, `matches` says whether
 * it is what the request asks for. */
void capacity_add_get(struct capacity *used, struct capacity_place place, size_t bytes,
                      bool consistent, bool matches);

/* All units of an account; bytes of vector indexes are none. */
double capacity_total(const struct capacity *used);

/* Units of reading or writing so many bytes at once, strongly consistent; at least 1. */
double capacity_read_units(size_t bytes);
double capacity_write_units(size_t bytes);
/* The bytes of a vector index that a write or a search of so many is charged for. */
double capacity_vector_bytes(size_t bytes);

/* Writes the member ConsumedCapacity where the request asks for it: of the one table that the call
 * has to do with, or the list of all its accounts. */
void capacity_reply(struct call *c);
void capacity_reply_list(struct call *c);
/* The same of a search of a vector index: the bytes under both names that the service gives them,
 * one of which its model does not have. */
void capacity_reply_search(struct call *c, double bytes);

#endif
