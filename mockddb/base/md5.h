/* md5.h: MD5 (RFC 1321), over libcrypto, of bytes that come in parts. S3 uses it as a content
 * hash. */
#pragma once

#include "base/span.h"

#define MD5_LEN 16

struct md5;

struct md5 *md5_new(void);
void md5_free(struct md5 *m); /* m may be NULL */
void md5_add(struct md5 *m, struct span bytes);
/* The digest of everything added; nothing may be added afterwards. */
void md5_end(struct md5 *m, unsigned char out[MD5_LEN]);

void md5_of(struct span bytes, unsigned char out[MD5_LEN]);
