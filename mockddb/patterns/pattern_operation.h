/* pattern_operation.h: what the runner must know of an operation before it sends one. */
#ifndef PATTERNS_PATTERN_OPERATION_H
#define PATTERNS_PATTERN_OPERATION_H

#include "ops/op.h"

/* The operation of tables or of streams with this name, or NULL. */
const struct op *pattern_operation_find(const char *name);

/* Whether sending this could change something. */
bool pattern_operation_writes(const struct op *op, const wire_node *request);

/* Keys that a get asks for; 0 for all other operations. */
size_t pattern_operation_keys(const struct op *op, const wire_node *request);

#endif
