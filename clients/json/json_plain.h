/* json_plain.h: DynamoDB JSON → plain JSON, numbers digit for digit.
 *
 * S and B stay strings (B in base64), N becomes a number with the digits it came with, sets and
 * lists become arrays, NULL becomes null. */
#pragma once

#include "base/buf.h"
#include "wire/wire_body.h"

/* Appends a line for each item in `document`: an answer with items, an array of items or values,
 * one item, or one value. Adds nothing for an answer without items (a count, a missing item).
 * Returns false, with nothing added, for any other document. */
bool json_plain_document(struct arena *a, struct buf *out, const wire_node *document);
