#include "base/digest.h"

#include "base/process.h"

#include <openssl/evp.h>

/* Both are built in, so only memory can be missing. */

void digest_md5(struct span bytes, unsigned char out[MD5_LEN])
{
    process_need(EVP_Digest(bytes.at, bytes.len, out, NULL, EVP_md5(), NULL));
}

void digest_sha256(struct span bytes, unsigned char out[SHA256_LEN])
{
    process_need(EVP_Digest(bytes.at, bytes.len, out, NULL, EVP_sha256(), NULL));
}

/* The library's own context under our name. */
static EVP_MD_CTX *context_of(struct digest *d)
{
    return (EVP_MD_CTX *)d;
}

struct digest *digest_begin(enum digest_kind kind)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    const EVP_MD *type = kind == DIGEST_MD5 ? EVP_md5() : EVP_sha256();

    process_need(context && EVP_DigestInit_ex(context, type, NULL));
    return (struct digest *)context;
}

void digest_add(struct digest *d, struct span bytes)
{
    process_need(EVP_DigestUpdate(context_of(d), bytes.at, bytes.len));
}

void digest_end(struct digest *d, unsigned char *out)
{
    process_need(!out || EVP_DigestFinal_ex(context_of(d), out, NULL));
    EVP_MD_CTX_free(context_of(d));
}
