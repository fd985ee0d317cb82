/* key_check.h: checks keys and index keys against a table's schema.
 *
 * All errors are bare. Source: docs/behaviour/items.md, "Keys". */
#pragma once

#include "expr/expr.h"
#include "ops/op.h"

/* Checks a Key parameter: exactly the key attributes, with their types, not empty, not too long. */
MUST_CHECK const struct error *key_check_parameter(struct arena *a, const struct table *t,
                                                   const struct item *key);

/* Check the key attributes of an item, with the messages of PutItem and of BatchWriteItem. */
MUST_CHECK const struct error *key_check_item(struct arena *a, const struct table *t,
                                              const struct item *it);
MUST_CHECK const struct error *key_check_batch_item(struct arena *a, const struct table *t,
                                                    const struct item *it);

/* Only checks that no key attribute is an empty string or binary. Absent attributes pass. */
MUST_CHECK const struct error *key_check_empty(struct arena *a, const struct table *t,
                                               const struct item *it);

/* Checks the total size of the partition (`hash`) or sort key attributes. */
MUST_CHECK const struct error *key_check_length(struct arena *a, bool hash, size_t size);

/* Checks that a key condition's value is not empty. Its type must be right; ix NULL: the table. */
MUST_CHECK const struct error *key_check_condition(struct arena *a, const struct index *ix,
                                                   const struct key_part *part,
                                                   const struct attr *value);

/* The errors for an empty value of an index key attribute: in an item that is put, or by an update
 * expression. */
MUST_CHECK const struct error *key_check_empty_entry(struct arena *a, const struct index *ix,
                                                     struct span name, const struct attr *value);
MUST_CHECK const struct error *key_check_empty_update(struct arena *a, const struct attr *value);

/* Check the index key attributes of an item that is put: types, then empty or too long values. For
 * one index, or all. */
MUST_CHECK const struct error *key_check_index(struct arena *a, const struct index *ix,
                                               const struct item *it);
MUST_CHECK const struct error *key_check_indexes(struct arena *a, const struct table *t,
                                                 const struct item *it);

/* Only checks that no index key attribute is empty. */
MUST_CHECK const struct error *key_check_empty_indexes(struct arena *a, const struct table *t,
                                                       const struct item *it);

/* Checks the index key attributes that an update has changed from `old` (NULL: no item) to `it`.
 * `update` is NULL for updates without an expression. */
MUST_CHECK const struct error *key_check_updated_indexes(struct arena *a, const struct table *t,
                                                         const struct expr_update *update,
                                                         const struct item *old,
                                                         const struct item *it);

/* Refuses an update of a key attribute: "Cannot update attribute pk. This attribute …" */
MUST_CHECK const struct error *key_check_targets(struct arena *a, const struct table *t,
                                                 const struct expr_update *update);
