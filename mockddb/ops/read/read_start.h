/* read_start.h: where a Query or Scan starts: ExclusiveStartKey, read and checked.
 *
 * Messages and order: docs/behaviour/query-scan.md, "Starting keys". */
#ifndef OPS_READ_START_H
#define OPS_READ_START_H

#include "ops/op.h"
#include "store/cursor.h"
#include "wire/wire_attr.h"

/* Reads the values of ExclusiveStartKey; *present is false when there is none. */
MUST_CHECK const struct error *read_start(struct call *c, enum wire_layer layer, struct item *key,
                                          bool *present);

/* "The provided starting key is invalid[: The provided key element does not match the schema]" */
MUST_CHECK const struct error *read_start_invalid(struct arena *a, bool schema);

/* Whether the key has exactly the attributes of a position (table key and index key). */
bool read_start_is_complete(const struct table *t, const struct index *ix, const struct item *key);

/* Whether those of `keys` have their types. */
bool read_start_fits(const struct key_schema *keys, const struct item *key);

/* The table key's types; then that no value is empty or too long, of the index key (ix may be NULL)
 * as well. The key is complete, and the index key's types fit. */
MUST_CHECK const struct error *read_start_check(struct arena *a, const struct table *t,
                                                const struct index *ix, const struct item *key);

/* Moves the range's beginning (or end, when it runs backwards) behind the position. */
void read_start_at(struct call *c, const struct table *t, const struct index *ix,
                   const struct item *key, struct store_range *range);

#endif
