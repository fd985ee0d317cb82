/* awscli_table.h: draws answers like the CLI's --output table. */
#ifndef AWSCLI_AWSCLI_TABLE_H
#define AWSCLI_AWSCLI_TABLE_H

#include "wire/json.h"

/* Appends the table for an answer; the title is the operation's name. */
void awscli_table_add(struct buf *out, const char *title, const wire_node *node);

#endif
