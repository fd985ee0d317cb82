/* wire_cbor.h: bodies in CBOR (RFC 8949), as Smithy's protocol rpc-v2-cbor has them, from and to
 * JSON.
 *
 * Requests become JSON by what they are: a timestamp (tag 1) its number, a byte string base64.
 * Answers become CBOR by their shapes. */
#ifndef WIRE_WIRE_CBOR_H
#define WIRE_WIRE_CBOR_H

#include "base/buf.h"
#include "wire/wire_shape.h"

/* The JSON of one item that fills the text; false where it is not one, is nested too deeply, or has
 * more parts than any request has. */
bool wire_cbor_read(struct arena *a, struct span cbor, struct span *json);

/* The structure's members that are listed, each as its shape says. */
void wire_cbor_write(struct buf *out, const struct wire_member *members, const wire_node *body);

#endif
