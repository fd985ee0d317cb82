/* wire_print.h: prints request values, as constraint messages echo them or as JSON. */
#pragma once

#include "base/buf.h"
#include "wire/wire_shape.h"

/* Prints as Java does: plain text, [a, b], {k=v}, KeySchemaElement(attributeName=a, …); stops once
 * there are LIMIT_ECHO bytes in `out`. */
void wire_print(struct buf *out, const struct wire_shape *shape, const wire_node *node);

/* The JSON of the node, compact, with the digits of numbers unchanged. */
void wire_print_json(struct buf *out, const wire_node *node);

/* Prints equal requests as equal texts, however they are written: like wire_print_json, but with
 * members in byte order of their names, without members that are null or unknown to the structure,
 * and with sets (lists of strings called SS, NS or BS) in byte order. `shape` may be NULL: nothing
 * is known about the node. */
void wire_print_canonical(struct buf *out, const struct wire_shape *shape, const wire_node *node);

/* A member's name in lower camel case: TableName → tableName. */
void wire_print_name(struct buf *out, const char *name);
