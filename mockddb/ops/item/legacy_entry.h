/* legacy_entry.h: one entry of Expected, of a filter or of KeyConditions: what a comparison
 * operator means, what it takes, and its values. */
#ifndef OPS_ITEM_LEGACY_ENTRY_H
#define OPS_ITEM_LEGACY_ENTRY_H

#include "expr/expr.h"
#include "model/names.h"
#include "ops/op.h"
#include "wire/wire_attr.h"

/* What a comparison operator means and takes. */
struct legacy_comparison {
    enum expr_op op;
    size_t min, max; /* arguments */
    unsigned types;  /* of the arguments, a bit each */
};

struct legacy_entry {
    struct span name;
    enum comparison comparison;
    struct attr *values;
    size_t count;
};

const struct legacy_comparison *legacy_entry_takes(const struct legacy_entry *entry);

/* The operator that a ComparisonOperator names; the member checks have seen to it that it is one.
 */
enum comparison legacy_entry_comparison(const wire_node *name);

/* A value, and AttributeValueList as the entry's values. */
MUST_CHECK const struct error *legacy_entry_value(struct call *c, const wire_node *node,
                                                  enum wire_layer layer, struct attr *out);
MUST_CHECK const struct error *legacy_entry_list(struct call *c, const wire_node *list,
                                                 enum wire_layer layer, struct legacy_entry *out);

/* Number, types and order of the values. */
MUST_CHECK const struct error *legacy_entry_check(struct arena *a,
                                                  const struct legacy_entry *entry);

/* An entry of a filter or of KeyConditions. */
MUST_CHECK const struct error *legacy_entry_read(struct call *c, const wire_node *node,
                                                 enum wire_layer layer, struct legacy_entry *out);

/* How the entries of a map are read, and what they come to, joined by ConditionalOperator. */
typedef const struct error *legacy_entry_reader(struct call *c, const wire_node *node,
                                                enum wire_layer layer, struct legacy_entry *out);
MUST_CHECK const struct error *legacy_entry_join(struct call *c, const char *parameter,
                                                 legacy_entry_reader *read, enum wire_layer layer,
                                                 struct expr_cond **out);

#endif
