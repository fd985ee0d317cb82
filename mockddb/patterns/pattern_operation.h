/* pattern_operation.h: the properties of an operation that the runner needs before it sends one. */
#pragma once

#include "ops/op.h"

/* The operation of tables or of streams with this name, or NULL. */
const struct op *pattern_operation_find(const char *name);

/* Whether the request could change anything. */
bool pattern_operation_writes(const struct op *op, const wire_node *request);

/* The number of keys in a get; 0 for all other operations. */
size_t pattern_operation_keys(const struct op *op, const wire_node *request);
