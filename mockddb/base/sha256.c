#include "base/sha256.h"

#include "base/process.h"

#include <openssl/evp.h>

void sha256_of(struct span bytes, unsigned char out[SHA256_LEN])
{
    unsigned int len = SHA256_LEN;

    if (!EVP_Digest(bytes.at, bytes.len, out, &len, EVP_sha256(), NULL))
        process_out_of_memory(); /* the digest is built in: only memory can be missing */
}
