/* table_name.h: what a TableName member may hold, and the ARNs of tables and what belongs to them.
 *
 * Wherever an operation takes a table's name it takes the table's ARN as well; answers name the
 * table either way. An ARN must be of our partition and region; its account is not looked at,
 * since all credentials see the same tables. Source: docs/behaviour/tables.md, "Names". */
#ifndef OPS_TABLE_NAME_H
#define OPS_TABLE_NAME_H

#include "ops/op.h"

/* The name in `text`: itself, or what a table ARN names. The name borrows from `text`. */
MUST_CHECK const struct error *table_name_read(struct call *c, struct span text, struct span *name);

/* The precheck of operations on tables: "The parameter 'TableName' is required …". */
MUST_CHECK const struct error *table_name_required(struct call *c);

/* The six parts of an ARN and the name in its resource. */
struct arn {
    struct span partition, service, region, account;
    struct span table; /* X of table/X, table/X/index/…, table/X/stream/…; or empty */
    struct span rest;  /* what follows the name: "", "/index/…", "/stream/…" */
};

/* False when the text is not of the form arn:partition:service:region:account:resource. */
bool arn_parse(struct span text, struct arn *out);

/* arn:aws:dynamodb:<region>:<account>:table/<name><rest>, in the call's arena. */
struct span table_arn(const struct call *c, struct span name, const char *kind, struct span rest);

#endif
