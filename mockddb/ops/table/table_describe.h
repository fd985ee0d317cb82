/* table_describe.h: the TableDescription in answers.
 *
 * Sizes and counts are live values. Source: docs/behaviour/tables.md, "The description". */
#pragma once

#include "ops/op.h"

enum table_answer {
    TABLE_DESCRIBED,
    TABLE_CREATED, /* without values that are not known yet */
    TABLE_UPDATED,
    TABLE_BACKED_UP, /* throughput and indexes: without states, sizes, dates and ARNs */
    TABLE_DELETED    /* without definitions, keys, indexes, creation time and warm throughput */
};

/* Writes the object; the caller has written the member's name. */
MUST_CHECK const struct error *table_describe(struct call *c, const struct table *t,
                                              enum table_answer answer);

/* --- parts that other descriptions share ---------------------------------------------------------
 *
 * Each writes members into the open object, or nothing if the table does not have the feature. */

/* ProvisionedThroughput */
void table_describe_throughput(struct call *c, const struct throughput *p,
                               enum table_answer answer);
/* LocalSecondaryIndexes, GlobalSecondaryIndexes, VectorIndexes */
MUST_CHECK const struct error *table_describe_indexes(struct call *c, const struct table *t,
                                                      enum table_answer answer);
void table_describe_on_demand(struct wire_writer *w, struct unit_pair limits); /* OnDemandT… */
void table_describe_encryption(struct wire_writer *w, const struct table *t);  /* SSEDescr… */
void table_describe_stream_view(struct wire_writer *w, const char *key, const struct table *t);
