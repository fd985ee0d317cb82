/* sha256.h: SHA-256 of bytes, over libcrypto. */
#pragma once

#include "base/span.h"

#define SHA256_LEN 32

/* For bytes that come in pieces. sha256_end frees it; out may be NULL. */
struct sha256;
struct sha256 *sha256_begin(void);
void sha256_add(struct sha256 *sum, struct span bytes);
void sha256_end(struct sha256 *sum, unsigned char *out);

void sha256_of(struct span bytes, unsigned char out[SHA256_LEN]);
