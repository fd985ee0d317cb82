/* wire_print.h: request values as constraint messages echo them. */
#ifndef WIRE_WIRE_PRINT_H
#define WIRE_WIRE_PRINT_H

#include "base/buf.h"
#include "wire/wire_shape.h"

/* As Java prints it: text as it is, [a, b], {k=v}, KeySchemaElement(attributeName=a, …). */
void wire_print(struct buf *out, const struct wire_shape *shape, const wire_node *node);

/* A member's name in lower camel case: TableName → tableName. */
void wire_print_name(struct buf *out, const char *name);

#endif
