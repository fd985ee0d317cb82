#include "base/sha256.h"

#include "base/process.h"

#include <openssl/evp.h>

void sha256_of(struct span bytes, unsigned char out[SHA256_LEN])
{
    unsigned int len = SHA256_LEN;

    /* the digest is built in: only memory can be missing */
    process_need(EVP_Digest(bytes.at, bytes.len, out, &len, EVP_sha256(), NULL));
}

/* The library's own context under our name. */
static EVP_MD_CTX *context_of(struct sha256 *sum)
{
    return (EVP_MD_CTX *)sum;
}

struct sha256 *sha256_begin(void)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();

    process_need(context && EVP_DigestInit_ex(context, EVP_sha256(), NULL));
    return (struct sha256 *)context;
}

void sha256_add(struct sha256 *sum, struct span bytes)
{
    process_need(EVP_DigestUpdate(context_of(sum), bytes.at, bytes.len));
}

void sha256_end(struct sha256 *sum, unsigned char *out)
{
    process_need(!out || EVP_DigestFinal_ex(context_of(sum), out, NULL));
    EVP_MD_CTX_free(context_of(sum));
}
