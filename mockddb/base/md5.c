#include "base/md5.h"

#include "base/process.h"

#include <openssl/evp.h>
#include <stdlib.h>

struct md5 {
    EVP_MD_CTX *context;
};

/* The digest is built in, so only memory can be missing. */

struct md5 *md5_new(void)
{
    struct md5 *m = process_zeroed(sizeof *m);

    m->context = process_have(EVP_MD_CTX_new());
    process_need(EVP_DigestInit_ex(m->context, EVP_md5(), NULL));
    return m;
}

void md5_free(struct md5 *m)
{
    if (!m)
        return;
    EVP_MD_CTX_free(m->context);
    free(m);
}

void md5_add(struct md5 *m, struct span bytes)
{
    process_need(EVP_DigestUpdate(m->context, bytes.at, bytes.len));
}

void md5_end(struct md5 *m, unsigned char out[MD5_LEN])
{
    process_need(EVP_DigestFinal_ex(m->context, out, NULL));
}

void md5_of(struct span bytes, unsigned char out[MD5_LEN])
{
    process_need(EVP_Digest(bytes.at, bytes.len, out, NULL, EVP_md5(), NULL));
}
