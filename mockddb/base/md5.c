#include "base/md5.h"

#include "base/process.h"

#include <openssl/evp.h>
#include <stdlib.h>

struct md5 {
    EVP_MD_CTX *context;
};

/* The digest is built in: only memory can be missing. */
static void must_succeed(int done)
{
    if (!done)
        process_out_of_memory();
}

struct md5 *md5_new(void)
{
    struct md5 *m = calloc(1, sizeof *m);

    if (!m || !(m->context = EVP_MD_CTX_new()))
        process_out_of_memory();
    must_succeed(EVP_DigestInit_ex(m->context, EVP_md5(), NULL));
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
    must_succeed(EVP_DigestUpdate(m->context, bytes.at, bytes.len));
}

void md5_end(struct md5 *m, unsigned char out[MD5_LEN])
{
    must_succeed(EVP_DigestFinal_ex(m->context, out, NULL));
}

void md5_of(struct span bytes, unsigned char out[MD5_LEN])
{
    must_succeed(EVP_Digest(bytes.at, bytes.len, out, NULL, EVP_md5(), NULL));
}
