/* base64.h: RFC 4648 with padding, over libcrypto's codec. */
#pragma once

#include "base/buf.h"

/* Appends the base64 form of `bytes`. */
void base64_encode(struct buf *out, struct span bytes);

/* Whether a text is base64, strictly: length a multiple of 4, padding only at the end, spare bits
 * zero. */
bool base64_is_valid(struct span text);

/* Returns false and leaves *out alone if the text is not valid. The bytes are in the arena. */
bool base64_decode(struct arena *a, struct span text, struct span *out);
