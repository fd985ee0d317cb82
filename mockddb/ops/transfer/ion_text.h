/* ion_text.h: text Ion, as much of it as DynamoDB's exports and imports have, to DynamoDB's JSON.
 *
 * A record is a struct, {Item:{pk:"a",n:1.}}, of a bulk put with the members of a condition beside
 * Item, in any order. Strings are S, integers and decimals N, {{blobs}} B, booleans BOOL, null
 * NULL, lists L, structs M; lists with $dynamodb_SS::, $dynamodb_NS:: or $dynamodb_BS:: before them
 * are sets. Comments, long strings and quoted names are read, too; symbols, clobs, S-expressions
 * and timestamps are no values here, and binary Ion is not read. Source: the Ion specification;
 * developer guide, "Amazon S3 import formats for DynamoDB", whose sample is a list of structs;
 * docs/behaviour/transfer.md. */
#ifndef OPS_ION_TEXT_H
#define OPS_ION_TEXT_H

#include "ops/transfer/transfer_format.h"

/* Structs one behind another or in lists, with $ion_1_0 before any of them or before a list. */
enum transfer_framing ion_text_frame(struct transfer_frame *f,
                                     const struct transfer_options *options, struct span text,
                                     bool last);

/* Appends the record as JSON. */
bool ion_text_read(struct arena *a, const struct transfer_options *options, struct span record,
                   struct buf *json, struct transfer_problem *problem);

/* The same for a struct of any members: {a:"x"} is {"a":{"S":"x"}}. */
bool ion_text_read_struct(struct arena *a, struct span record, struct buf *json,
                          struct transfer_problem *problem);

#endif
