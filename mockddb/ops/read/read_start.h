/* read_start.h: reads and checks ExclusiveStartKey, where a Query or Scan starts.
 *
 * Messages and order: docs/behaviour/query-scan.md, "Pages". */
#pragma once

#include "ops/op.h"
#include "store/cursor.h"
#include "wire/wire_attr.h"

/* Reads the values of ExclusiveStartKey; *present is false if it is absent. */
MUST_CHECK const struct error *read_start(struct call *c, enum wire_layer layer, struct item *key,
                                          bool *present);

/* "The provided starting key is invalid[: The provided key element does not match the schema]" */
MUST_CHECK const struct error *read_start_invalid(struct arena *a, bool schema);

/* Whether the key has exactly the attributes of the table key and the index key. */
bool read_start_is_complete(const struct table *t, const struct index *ix, const struct item *key);

/* Whether the attributes of `keys` have their types. */
bool read_start_fits(const struct key_schema *keys, const struct item *key);

/* Checks the types of the table key, then that no value of the table key or the index key (ix may
 * be NULL) is empty or too long. The key must be complete, with the types of the index key. */
MUST_CHECK const struct error *read_start_check(struct arena *a, const struct table *t,
                                                const struct index *ix, const struct item *key);

/* Moves the range's beginning (or its end, if it runs backwards) behind the position. */
void read_start_at(struct call *c, const struct table *t, const struct index *ix,
                   const struct item *key, struct store_range *range);
