/* digest.h: MD5, which S3 uses as a content hash, and SHA-256 of bytes, over libcrypto. */
#pragma once

#include "base/span.h"

#define MD5_LEN    16
#define SHA256_LEN 32

void digest_md5(struct span bytes, unsigned char out[MD5_LEN]);
void digest_sha256(struct span bytes, unsigned char out[SHA256_LEN]);

/* For bytes that come in parts. digest_end frees it; it and `out` may be NULL. */
struct digest;
enum digest_kind { DIGEST_MD5, DIGEST_SHA256 };
struct digest *digest_begin(enum digest_kind kind);
void digest_add(struct digest *d, struct span bytes);
void digest_end(struct digest *d, unsigned char *out);
