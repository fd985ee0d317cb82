/* sha256.h: SHA-256 of bytes, over libcrypto. */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include "base/span.h"

#define SHA256_LEN 32

void sha256_of(struct span bytes, unsigned char out[SHA256_LEN]);

#endif
