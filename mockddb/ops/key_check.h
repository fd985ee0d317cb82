/* key_check.h: whether keys and index keys fit a table's schema.
 *
 * All errors are bare. Source: docs/behaviour/items.md, "Keys". */
#ifndef OPS_KEY_CHECK_H
#define OPS_KEY_CHECK_H

#include "expr/expr.h"
#include "ops/op.h"

/* A Key parameter: exactly the key attributes, of their types, not empty, not too long. */
MUST_CHECK const struct error *key_check_parameter(struct arena *a, const struct table *t,
                                                   const struct item *key);

/* The key attributes of a whole item as PutItem words it, and as BatchWriteItem does. */
MUST_CHECK const struct error *key_check_item(struct arena *a, const struct table *t,
                                              const struct item *it);
MUST_CHECK const struct error *key_check_batch_item(struct arena *a, const struct table *t,
                                                    const struct item *it);

/* Only: no key attribute is an empty string or binary. Absent ones and other types pass. */
MUST_CHECK const struct error *key_check_empty(struct arena *a, const struct table *t,
                                               const struct item *it);

/* The key attributes of one kind, partition (`hash`) or sort, have `size` bytes together. */
MUST_CHECK const struct error *key_check_length(struct arena *a, bool hash, size_t size);

/* A key condition's value, of the attribute's type, is not empty; ix NULL: of a table's key. */
MUST_CHECK const struct error *key_check_condition(struct arena *a, const struct index *ix,
                                                   const struct key_part *part,
                                                   const struct attr *value);

/* An empty value for the attribute `name` of an index: of an item that is put, or by an update
 * expression. */
MUST_CHECK const struct error *key_check_empty_entry(struct arena *a, const struct index *ix,
                                                     struct span name, const struct attr *value);
MUST_CHECK const struct error *key_check_empty_update(struct arena *a, const struct attr *value);

/* The index key attributes of an item that is put: types, then empty or too long values. Of one
 * index, or of all. */
MUST_CHECK const struct error *key_check_index(struct arena *a, const struct index *ix,
                                               const struct item *it);
MUST_CHECK const struct error *key_check_indexes(struct arena *a, const struct table *t,
                                                 const struct item *it);

/* Only: no index key attribute is empty. */
MUST_CHECK const struct error *key_check_empty_indexes(struct arena *a, const struct table *t,
                                                       const struct item *it);

/* The index key attributes in which an update made `it` differ from `old` (NULL: no item).
 * `update` is NULL for updates that were not written as an expression. */
MUST_CHECK const struct error *key_check_updated_indexes(struct arena *a, const struct table *t,
                                                         const struct expr_update *update,
                                                         const struct item *old,
                                                         const struct item *it);

/* An update's target is a key attribute: "Cannot update attribute pk. This attribute …" */
MUST_CHECK const struct error *key_check_targets(struct arena *a, const struct table *t,
                                                 const struct expr_update *update);

#endif
