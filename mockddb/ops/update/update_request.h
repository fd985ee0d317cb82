/* update_request.h: which aspects of a table an UpdateTable request changes, and the checks that
 * need no table.
 *
 * Source: docs/behaviour/tables.md, "UpdateTable". */
#ifndef OPS_UPDATE_REQUEST_H
#define OPS_UPDATE_REQUEST_H

#include "ops/op.h"
#include "ops/table/table_spec.h"

/* The aspects of a table, as bits. An empty member does not count. */
enum update_aspect {
    UPDATE_THROUGHPUT = 1,
    UPDATE_BILLING = 2,
    UPDATE_STREAM = 4,
    UPDATE_INDEXES = 8, /* any change of a GSI … */
    UPDATE_INDEX_CREATE = 16,
    UPDATE_INDEX_DELETE = 32,
    UPDATE_SSE = 64,
    UPDATE_CLASS = 128,
    UPDATE_MEMBERS = 256, /* a member of one value */
    UPDATE_ON_DEMAND = 512,
    UPDATE_WARM = 1024,
    UPDATE_REPLICAS = 2048,
    UPDATE_WITNESS = 4096,
    UPDATE_CONSISTENCY = 8192,
    UPDATE_REPLICATION = 16384,
    UPDATE_DISASSOCIATION = 32768
};
#define UPDATE_ALL 65535u

unsigned update_request_aspects(const struct table_spec *spec);

MUST_CHECK const struct error *update_request_check(struct call *c, const struct table_spec *spec);

#endif
