/* client_schema.h: what makes a table that is described: the input of CreateTable, and its time to
 * live as fixtures have it. */
#ifndef CLIENT_CLIENT_SCHEMA_H
#define CLIENT_CLIENT_SCHEMA_H

#include "base/arena.h"
#include "wire/wire_body.h"

/* From DescribeTable's Table and DescribeTimeToLive's TimeToLiveDescription, which may be NULL;
 * nothing of the account. It ends its line. */
struct span client_schema_of(struct arena *a, struct span name, const wire_node *table,
                             const wire_node *ttl);

#endif
