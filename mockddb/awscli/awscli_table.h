/* awscli_table.h: draws answers like the CLI's --output table. */
#pragma once

#include "wire/json.h"

/* Appends the table for an answer; the title is the operation's name. */
void awscli_table_add(struct buf *out, const char *title, const wire_node *node);
