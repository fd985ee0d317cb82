/* wire_cbor.h: converts bodies between CBOR (RFC 8949), in the form of Smithy's protocol
 * rpc-v2-cbor, and JSON.
 *
 * Requests are converted by their data: a timestamp (tag 1) becomes its number, a byte string
 * base64. Answers are converted by their shapes. */
#pragma once

#include "base/buf.h"
#include "wire/wire_shape.h"

/* The JSON of the only item in the text; false if there is not exactly one, if it is nested too
 * deeply, or if it has more parts than any request has. */
bool wire_cbor_read(struct arena *a, struct span cbor, struct span *json);

/* Writes the structure's listed members, each according to its shape. */
void wire_cbor_write(struct buf *out, const struct wire_member *members, const wire_node *body);
