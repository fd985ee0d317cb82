/* wire_attr.h: AttributeValue JSON → model, with the service's value checks.
 *
 * The service has two generations of its value checker; which operation runs which, and the
 * messages in which they differ: docs/behaviour/values.md. JSON types were checked before
 * (wire_check_types), so nodes have the right JSON type here. */
#pragma once

#include "model/attr.h"
#include "wire/wire_body.h"

enum wire_layer { WIRE_LAYER_CURRENT, WIRE_LAYER_OLDER };

/* Reads one value: structure, sets, numbers. Nesting is checked by wire_read_item. */
MUST_CHECK const struct error *wire_read_attr(struct arena *a, const wire_node *node,
                                              enum wire_layer layer, struct attr *out);

/* Like wire_read_attr, for a value nested in at most `limit` lists and maps: of all errors,
 * including nesting, the first in the text is reported. */
MUST_CHECK const struct error *wire_read_attr_within(struct arena *a, const wire_node *node,
                                                     enum wire_layer layer, size_t limit,
                                                     struct attr *out);

/* Reads a map of values (Item, Key, ExclusiveStartKey): values, empty attribute names, nesting. */
MUST_CHECK const struct error *wire_read_item(struct arena *a, const wire_node *node,
                                              enum wire_layer layer, struct item *out);

/* Checks that an attribute's name is neither empty nor too long. */
MUST_CHECK const struct error *wire_check_name(struct arena *a, struct span name);

/* Whether a value is nested in more than `limit` lists and maps. */
bool wire_is_deeper(const wire_node *attr, size_t limit);

/* "Nesting Levels have exceeded supported limits: …" */
MUST_CHECK const struct error *wire_nesting_error(struct arena *a);
