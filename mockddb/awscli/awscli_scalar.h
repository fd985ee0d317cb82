/* awscli_scalar.h: single values as printed by the CLI's --output text and table. */
#ifndef AWSCLI_AWSCLI_SCALAR_H
#define AWSCLI_AWSCLI_SCALAR_H

#include "wire/json.h"

/* Appends a string, number, boolean or null as Python prints it. */
void awscli_scalar_add(struct buf *out, const wire_node *node);

#endif
