/* legacy_entry.h: one entry of Expected, of a filter or of KeyConditions: its comparison operator
 * and values. */
#ifndef OPS_ITEM_LEGACY_ENTRY_H
#define OPS_ITEM_LEGACY_ENTRY_H

#include "expr/expr.h"
#include "model/names.h"
#include "ops/op.h"
#include "wire/wire_attr.h"

/* The meaning of a comparison operator, and its arguments. */
struct legacy_comparison {
    enum expr_op op;
    size_t min, max; /* number of arguments */
    unsigned types;  /* of the arguments, a bit each */
};

struct legacy_entry {
    struct span name;
    enum comparison comparison;
    struct attr *values;
    size_t count;
};

const struct legacy_comparison *legacy_entry_takes(const struct legacy_entry *entry);

/* The operator of a ComparisonOperator, whose name the shape has checked. */
enum comparison legacy_entry_comparison(const wire_node *name);

/* Read a value, and an AttributeValueList into the entry's values. */
MUST_CHECK const struct error *legacy_entry_value(struct call *c, const wire_node *node,
                                                  enum wire_layer layer, struct attr *out);
MUST_CHECK const struct error *legacy_entry_list(struct call *c, const wire_node *list,
                                                 enum wire_layer layer, struct legacy_entry *out);

/* Checks the number, types and order of the values. */
MUST_CHECK const struct error *legacy_entry_check(struct arena *a,
                                                  const struct legacy_entry *entry);

/* Reads and checks an entry of a filter or of KeyConditions. */
MUST_CHECK const struct error *legacy_entry_read(struct call *c, const wire_node *node,
                                                 enum wire_layer layer, struct legacy_entry *out);

/* Reads each entry of the map `parameter` with `read`, and joins them by ConditionalOperator. */
typedef const struct error *legacy_entry_reader(struct call *c, const wire_node *node,
                                                enum wire_layer layer, struct legacy_entry *out);
MUST_CHECK const struct error *legacy_entry_join(struct call *c, const char *parameter,
                                                 legacy_entry_reader *read, enum wire_layer layer,
                                                 struct expr_cond **out);

#endif
