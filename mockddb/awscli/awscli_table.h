/* awscli_table.h: answers as the CLI's --output table draws them. */
#ifndef AWSCLI_AWSCLI_TABLE_H
#define AWSCLI_AWSCLI_TABLE_H

#include "wire/json.h"

/* Appends the drawing of an answer; the title is the operation's name. */
void awscli_table_add(struct buf *out, const char *title, const wire_node *node);

#endif
