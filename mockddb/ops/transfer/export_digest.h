/* export_digest.h: digests of files, in the form of export manifests. */
#pragma once

#include "base/arena.h"
#include "base/digest.h"

/* "md5Checksum": base64. */
struct span export_digest_checksum(struct arena *a, const unsigned char digest[MD5_LEN]);

/* "etag": S3's form for an upload in one part, the digest of the digest. */
struct span export_digest_etag(struct arena *a, const unsigned char digest[MD5_LEN]);
