/* client_schema.h: turns a table's description into the schema of a fixture: the input of
 * CreateTable, and the time to live. */
#pragma once

#include "base/buf.h"
#include "wire/wire_body.h"

/* Returns the schema as JSON, followed by a newline. `table` is DescribeTable's Table; `ttl` is
 * DescribeTimeToLive's TimeToLiveDescription, or NULL; `tags` is a JSON list, or empty. The result
 * has nothing that is specific to the account. */
struct span client_schema_of(struct arena *a, struct span name, const wire_node *table,
                             const wire_node *ttl, struct span tags);

/* Adds the settings that the table has, or may have, and the schema lacks: "the KMS key, …". Adds
 * nothing if the schema is complete. */
void client_schema_lacks(struct buf *out, const wire_node *table);
/* Adds a name to that list. */
void client_schema_add_name(struct buf *out, const char *name);
