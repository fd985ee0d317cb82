#include "client_sign.h"

#include <ctype.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdlib.h>

#define DIGEST_SIZE 32 /* SHA-256 */
#define DATE_SIZE   8  /* YYYYMMDD, the start of the date */
#define ALGORITHM   "AWS4-HMAC-SHA256"

static struct span hmac(struct arena *a, struct span key, struct span text)
{
    unsigned char *digest = arena_alloc(a, DIGEST_SIZE);

    if (!HMAC(EVP_sha256(), key.at, (int)key.len, (const unsigned char *)text.at, text.len, digest,
              NULL))
        out_of_memory();
    return (struct span){(const char *)digest, DIGEST_SIZE};
}

static void add_hex(struct buf *out, struct span bytes)
{
    size_t i;

    for (i = 0; i < bytes.len; i++)
        buf_printf(out, "%02x", (unsigned)(unsigned char)bytes.at[i]);
}

static void add_hash(struct buf *out, struct span text)
{
    unsigned char digest[DIGEST_SIZE];

    if (!EVP_Digest(text.at, text.len, digest, NULL, EVP_sha256(), NULL))
        out_of_memory();
    add_hex(out, (struct span){(const char *)digest, sizeof digest});
}

static int by_name(const void *left, const void *right)
{
    const struct sign_header *a = left, *b = right;

    return strcmp(a->name, b->name);
}

static const struct sign_header *sorted(struct arena *a, const struct sign_request *request)
{
    struct sign_header *headers = arena_array(a, request->header_count, sizeof *headers);

    memcpy(headers, request->headers, request->header_count * sizeof *headers);
    qsort(headers, request->header_count, sizeof *headers, by_name);
    return headers;
}

/* Blanks around the value go, runs of blanks inside count as one. */
static void add_trimmed(struct buf *out, const char *value)
{
    bool blank = false, begun = false;

    for (; *value; value++) {
        if (isspace((unsigned char)*value)) {
            blank = begun;
            continue;
        }
        if (blank)
            buf_add_char(out, ' ');
        buf_add_char(out, *value);
        blank = false;
        begun = true;
    }
}

static void add_signed_names(struct buf *out, const struct sign_header *headers, size_t count)
{
    size_t i;

    for (i = 0; i < count; i++) {
        if (i)
            buf_add_char(out, ';');
        buf_add_text(out, headers[i].name);
    }
}

static struct span canonical_request(struct arena *a, const struct sign_request *request,
                                     const struct sign_header *headers)
{
    struct buf out = buf_in(a);
    size_t i;

    buf_printf(&out, "%s\n%s\n\n", request->method, request->path);
    for (i = 0; i < request->header_count; i++) {
        buf_printf(&out, "%s:", headers[i].name);
        add_trimmed(&out, headers[i].value);
        buf_add_char(&out, '\n');
    }
    buf_add_char(&out, '\n');
    add_signed_names(&out, headers, request->header_count);
    buf_add_char(&out, '\n');
    add_hash(&out, request->body);
    return buf_span(&out);
}

static const char *scope_text(struct arena *a, const struct sign_scope *scope)
{
    return arena_printf(a, "%.*s/%s/%s/aws4_request", DATE_SIZE, scope->date, scope->region,
                        scope->service);
}

static struct span signing_key(struct arena *a, const struct sign_keys *keys,
                               const struct sign_scope *scope)
{
    struct span key = span_of(arena_printf(a, "AWS4%s", keys->secret_key));

    key = hmac(a, key, (struct span){scope->date, DATE_SIZE});
    key = hmac(a, key, span_of(scope->region));
    key = hmac(a, key, span_of(scope->service));
    return hmac(a, key, SPAN_LIT("aws4_request"));
}

const char *sign_authorization(struct arena *a, const struct sign_keys *keys,
                               const struct sign_scope *scope, const struct sign_request *request)
{
    const struct sign_header *headers = sorted(a, request);
    struct buf to_sign = buf_in(a), out = buf_in(a);

    buf_printf(&to_sign, "%s\n%s\n%s\n", ALGORITHM, scope->date, scope_text(a, scope));
    add_hash(&to_sign, canonical_request(a, request, headers));

    buf_printf(&out, "%s Credential=%s/%s, SignedHeaders=", ALGORITHM, keys->access_key,
               scope_text(a, scope));
    add_signed_names(&out, headers, request->header_count);
    buf_add_text(&out, ", Signature=");
    add_hex(&out, hmac(a, signing_key(a, keys, scope), buf_span(&to_sign)));
    return buf_text(&out);
}
