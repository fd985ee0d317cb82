#include "ops/transfer/export_digest.h"

#include "base/base64.h"

struct span export_digest_checksum(struct arena *a, const unsigned char digest[MD5_LEN])
{
    struct buf out = buf_in(a);

    base64_encode(&out, (struct span){(const char *)digest, MD5_LEN});
    return buf_span(&out);
}

struct span export_digest_etag(struct arena *a, const unsigned char digest[MD5_LEN])
{
    struct buf out = buf_in(a);
    unsigned char twice[MD5_LEN];

    digest_md5((struct span){(const char *)digest, MD5_LEN}, twice);
    buf_add_hex(&out, twice, sizeof twice);
    buf_add_text(&out, "-1");
    return buf_span(&out);
}
