/* ion_text.h: converts the text Ion of DynamoDB's exports and imports to DynamoDB's JSON.
 *
 * A record is a struct, {Item:{pk:"a",n:1.}}. In a bulk put it may also have the members of a
 * condition, in any order. Strings are S, integers and decimals N, {{blobs}} B, booleans BOOL, null
 * NULL, lists L, structs M; lists after $dynamodb_SS::, $dynamodb_NS:: or $dynamodb_BS:: are sets.
 * Comments, long strings and quoted names are read, too. Symbols, clobs, S-expressions, timestamps
 * and binary Ion are not supported. Source: the Ion specification;
 * developer guide, "Amazon S3 import formats for DynamoDB", whose sample is a list of structs;
 * docs/behaviour/transfer.md. */
#pragma once

#include "base/ascii.h"
#include "ops/transfer/transfer_format.h"

/* Whether a symbol without quotes may begin so. */
static inline bool ion_text_begins_symbol(char c)
{
    return ascii_is_letter(c) || c == '_' || c == '$';
}

/* Frames structs, one after another or in lists. $ion_1_0 may precede each struct or list. */
enum transfer_framing ion_text_frame(struct transfer_frame *f,
                                     const struct transfer_options *options, struct span text,
                                     bool last);

/* Appends the record as JSON. */
bool ion_text_read(struct arena *a, const struct transfer_options *options, struct span record,
                   struct buf *json, struct transfer_problem *problem);

/* Like ion_text_read, for a struct with any members: {a:"x"} becomes {"a":{"S":"x"}}. */
bool ion_text_read_struct(struct arena *a, struct span record, struct buf *json,
                          struct transfer_problem *problem);
