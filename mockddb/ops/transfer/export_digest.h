/* export_digest.h: digests of files as manifests of exports have them. */
#ifndef OPS_EXPORT_DIGEST_H
#define OPS_EXPORT_DIGEST_H

#include "base/arena.h"
#include "base/md5.h"

/* "md5Checksum": base64. */
struct span export_digest_checksum(struct arena *a, const unsigned char digest[MD5_LEN]);

/* "etag": what S3 calls contents that came in one part, the digest of their digest. */
struct span export_digest_etag(struct arena *a, const unsigned char digest[MD5_LEN]);

#endif
