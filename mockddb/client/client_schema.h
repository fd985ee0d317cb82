/* client_schema.h: what makes a table that is described: the input of CreateTable, and its time to
 * live as fixtures have it. */
#ifndef CLIENT_CLIENT_SCHEMA_H
#define CLIENT_CLIENT_SCHEMA_H

#include "base/buf.h"
#include "wire/wire_body.h"

/* From DescribeTable's Table, DescribeTimeToLive's TimeToLiveDescription, and a JSON list of tags;
 * the last two may be NULL and empty. Nothing of the account. It ends its line. */
struct span client_schema_of(struct arena *a, struct span name, const wire_node *table,
                             const wire_node *ttl, struct span tags);

/* Adds what a description shows, or lets expect, and such a schema lacks: "a KMS key, …"; nothing
 * where it lacks nothing. */
void client_schema_lacks(struct buf *out, const wire_node *table);
/* Adds a name to such a list. */
void client_schema_add_name(struct buf *out, const char *name);

#endif
