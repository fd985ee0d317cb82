/* awscli_order.h: answers as the CLI prints them: members in the order of the service's model,
 * timestamps as ISO 8601 in local time. */
#pragma once

#include "base/buf.h"
#include "wire/wire_body.h"

/* Appends the answer of the operation `name` as JSON. */
void awscli_order_write(struct buf *out, const char *name, const wire_node *node);
/* Appends the value of one of its members, or an element of the member's list. */
void awscli_order_write_part(struct buf *out, const char *name, const char *member,
                             const wire_node *node);
