/* wire_print.h: request values as text: as constraint messages echo them, or as JSON again. */
#ifndef WIRE_WIRE_PRINT_H
#define WIRE_WIRE_PRINT_H

#include "base/buf.h"
#include "wire/wire_shape.h"

/* As Java prints it: text as it is, [a, b], {k=v}, KeySchemaElement(attributeName=a, …); no more
 * once there are LIMIT_ECHO bytes in `out`. */
void wire_print(struct buf *out, const struct wire_shape *shape, const wire_node *node);

/* The JSON of the node, compact, numbers digit for digit. */
void wire_print_json(struct buf *out, const wire_node *node);

/* The same text for every way to write the same request: as wire_print_json, but members in byte
 * order of their names, those that are null or that structures do not have left out, and sets
 * (lists of strings that are named SS, NS or BS) in byte order. `shape` may be NULL: nothing is
 * known of the node. */
void wire_print_canonical(struct buf *out, const struct wire_shape *shape, const wire_node *node);

/* A member's name in lower camel case: TableName → tableName. */
void wire_print_name(struct buf *out, const char *name);

#endif
