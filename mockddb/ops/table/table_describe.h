/* table_describe.h: the TableDescription in answers.
 *
 * Sizes and counts are live values. Source: docs/behaviour/tables.md, "The description". */
#ifndef OPS_TABLE_DESCRIBE_H
#define OPS_TABLE_DESCRIBE_H

#include "ops/op.h"

enum table_answer {
    TABLE_DESCRIBED,
    TABLE_CREATED, /* what is not known yet is left out */
    TABLE_UPDATED,
    TABLE_DELETED /* without definitions, keys, indexes, creation time and warm throughput */
};

/* Writes the object; the member's name was written before. */
void table_describe(struct call *c, const struct table *t, enum table_answer answer);

#endif
