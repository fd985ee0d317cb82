/* table_arn.h: the ARNs of tables and of their streams, indexes, backups, exports and imports.
 *
 * Source: docs/behaviour/tables.md, "Names". */
#pragma once

#include "ops/op.h"

/* The six parts of an ARN and the name in its resource. */
struct arn {
    struct span partition, service, region, account;
    struct span table; /* X of table/X, table/X/index/…, table/X/stream/…; or empty */
    struct span rest;  /* what follows the name: "", "/index/…", "/stream/…" */
};

/* False when the text is not of the form arn:partition:service:region:account:resource. */
bool table_arn_parse(struct span text, struct arn *out);

/* arn:aws:dynamodb:<region>:<account>:table/<name><rest>, in the call's arena. */
struct span table_arn(const struct call *c, struct span name, const char *kind, struct span rest);

#define TABLE_ARN_SUFFIX_DIGITS 8

/* The end of the ARN of a backup, export or import: 01791504762511-2779fadd, the time in
 * milliseconds and 8 hexadecimal digits. Made in the call's arena. The parser returns false if the
 * text has another form. */
struct span table_arn_moment(const struct call *c, int64_t created_ms, struct span suffix);
bool table_arn_parse_moment(struct span text, int64_t *created_ms, struct span *suffix);
