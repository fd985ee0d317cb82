#include "base/sigv4.h"
#include "base/cut.h"

#include "base/ascii.h"
#include "base/digest.h"

#include <ctype.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdlib.h>

#define DATE_SIZE 8 /* YYYYMMDD, at the start of the date */

static struct span hmac(struct arena *a, struct span key, struct span text)
{
    unsigned char *digest = arena_alloc(a, SHA256_LEN);

    process_need(HMAC(EVP_sha256(), key.at, (int)key.len, (const unsigned char *)text.at, text.len,
                      digest, NULL));
    return (struct span){(const char *)digest, SHA256_LEN};
}

static void add_hash(struct buf *out, struct span text)
{
    unsigned char digest[SHA256_LEN];

    digest_sha256(text, digest);
    buf_add_hex(out, digest, sizeof digest);
}

/* --- headers ---------------------------------------------------------------------------------- */

/* Headers of the same name stay in the order in which they were sent. */
static int by_name(const void *left, const void *right)
{
    const struct sigv4_header *a = *(const struct sigv4_header *const *)left;
    const struct sigv4_header *b = *(const struct sigv4_header *const *)right;
    int order = strcmp(a->name, b->name);

    return order ? order : (a > b) - (a < b);
}

static const struct sigv4_header **sorted_headers(struct arena *a,
                                                  const struct sigv4_request *request)
{
    const struct sigv4_header **headers = arena_array(a, request->header_count, sizeof *headers);

    for (size_t i = 0; i < request->header_count; i++)
        headers[i] = &request->headers[i];
    if (request->header_count)
        qsort(headers, request->header_count, sizeof *headers, by_name);
    return headers;
}

/* Adds the value without blanks around it, and with runs of blanks as one blank. */
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

static bool repeats_name(const struct sigv4_header **headers, size_t i)
{
    return i > 0 && strcmp(headers[i - 1]->name, headers[i]->name) == 0;
}

static void add_signed_names(struct buf *out, const struct sigv4_header **headers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!repeats_name(headers, i))
            buf_printf(out, "%s%s", i ? ";" : "", headers[i]->name);
}

/* --- path and query --------------------------------------------------------------------------- */

void sigv4_encode(struct buf *out, struct span text)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.at[i];

        if (isalnum(c) || ascii_is_one_of((char)c, "-._~"))
            buf_add_char(out, (char)c);
        else
            buf_printf(out, "%%%02X", (unsigned)c);
    }
}

static bool is_name(struct span segment)
{
    return segment.len && !span_is(segment, ".") && !span_is(segment, "..");
}

const char *sigv4_path(struct arena *a, struct span path)
{
    struct buf out = buf_in(a);
    struct span segment = {"", 0};

    for (size_t at = 0; at <= path.len; at += segment.len + 1) {
        const char *slash = memchr(path.at + at, '/', path.len - at);

        segment.at = path.at + at;
        segment.len = slash ? (size_t)(slash - segment.at) : path.len - at;
        if (is_name(segment)) {
            buf_add_char(&out, '/');
            sigv4_encode(&out, segment);
        } else if (span_is(segment, "..")) {
            while (out.len && out.at[--out.len] != '/')
                ; /* remove the segment before */
        }
    }
    if (!is_name(segment))
        buf_add_char(&out, '/');
    return buf_text(&out);
}

struct span sigv4_decode(struct arena *a, struct span text)
{
    char *out = arena_alloc(a, text.len + 1);
    size_t len = 0;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];

        if (c == '%' && i + 2 < text.len && ascii_hex(text.at[i + 1]) >= 0 &&
            ascii_hex(text.at[i + 2]) >= 0) {
            c = (char)(ascii_hex(text.at[i + 1]) * 16 + ascii_hex(text.at[i + 2]));
            i += 2;
        }
        out[len++] = c;
    }
    return (struct span){out, len};
}

struct parameter {
    const char *name, *value; /* encoded */
};

static int by_name_and_value(const void *left, const void *right)
{
    const struct parameter *a = left, *b = right;
    int order = strcmp(a->name, b->name);

    return order ? order : strcmp(a->value, b->value);
}

/* However a character was sent, it is encoded in one way. */
static const char *encoded_anew(struct arena *a, struct span text)
{
    struct buf out = buf_in(a);

    sigv4_encode(&out, sigv4_decode(a, text));
    return buf_text(&out);
}

static struct parameter read_parameter(struct arena *a, struct span text)
{
    struct span name = cut_part(&text, '=');

    return (struct parameter){.name = encoded_anew(a, name), .value = encoded_anew(a, text)};
}

static size_t read_parameters(struct arena *a, struct span query, const char *without,
                              struct parameter *out)
{
    size_t count = 0;

    while (query.len) {
        struct span text = cut_part(&query, '&');

        out[count] = read_parameter(a, text);
        if (text.len && strcmp(out[count].name, without) != 0)
            count++;
    }
    return count;
}

const char *sigv4_query(struct arena *a, struct span query, const char *without)
{
    struct buf out = buf_in(a);
    struct parameter *parameters = arena_array(a, query.len + 1, sizeof *parameters);
    size_t count = read_parameters(a, query, without, parameters);

    if (count)
        qsort(parameters, count, sizeof *parameters, by_name_and_value);
    for (size_t i = 0; i < count; i++)
        buf_printf(&out, "%s%s=%s", i ? "&" : "", parameters[i].name, parameters[i].value);
    return buf_text(&out);
}

/* --- the signature ---------------------------------------------------------------------------- */

static struct span canonical_request(struct arena *a, const struct sigv4_request *request,
                                     const struct sigv4_header **headers)
{
    struct buf out = buf_in(a);

    buf_printf(&out, "%s\n%s\n%s\n", request->method, request->path, request->query);
    /* Headers of the same name become one line. */
    for (size_t i = 0; i < request->header_count; i++) {
        if (repeats_name(headers, i))
            buf_add_char(&out, ',');
        else
            buf_printf(&out, "%s%s:", i ? "\n" : "", headers[i]->name);
        add_trimmed(&out, headers[i]->value);
    }
    buf_add_text(&out, request->header_count ? "\n" : "");
    buf_add_char(&out, '\n');
    add_signed_names(&out, headers, request->header_count);
    buf_add_char(&out, '\n');
    if (request->body_sum)
        buf_add_hex(&out, request->body_sum, SHA256_LEN);
    else
        add_hash(&out, request->body);
    return buf_span(&out);
}

static const char *scope_text(struct arena *a, const struct sigv4_scope *scope)
{
    return arena_printf(a, "%.*s/%s/%s/" SIGV4_TERMINATOR, DATE_SIZE, scope->date, scope->region,
                        scope->service);
}

static struct span signing_key(struct arena *a, const char *secret_key,
                               const struct sigv4_scope *scope)
{
    struct span key = span_of(arena_printf(a, "AWS4%s", secret_key));

    key = hmac(a, key, (struct span){scope->date, DATE_SIZE});
    key = hmac(a, key, span_of(scope->region));
    key = hmac(a, key, span_of(scope->service));
    return hmac(a, key, SPAN_LIT(SIGV4_TERMINATOR));
}

const char *sigv4_signature(struct arena *a, const char *secret_key,
                            const struct sigv4_scope *scope, const struct sigv4_request *request)
{
    struct buf to_sign = buf_in(a), out = buf_in(a);
    struct span signature;

    buf_printf(&to_sign, SIGV4_ALGORITHM "\n%s\n%s\n", scope->date, scope_text(a, scope));
    add_hash(&to_sign, canonical_request(a, request, sorted_headers(a, request)));
    signature = hmac(a, signing_key(a, secret_key, scope), buf_span(&to_sign));
    buf_add_hex(&out, signature.at, signature.len);
    return buf_text(&out);
}

const char *sigv4_authorization(struct arena *a, const struct sigv4_keys *keys,
                                const struct sigv4_scope *scope,
                                const struct sigv4_request *request)
{
    struct buf out = buf_in(a);

    buf_printf(&out, SIGV4_ALGORITHM " Credential=%s/%s, SignedHeaders=", keys->access_key,
               scope_text(a, scope));
    add_signed_names(&out, sorted_headers(a, request), request->header_count);
    buf_printf(&out, ", Signature=%s", sigv4_signature(a, keys->secret_key, scope, request));
    return buf_text(&out);
}

bool sigv4_same(struct span secret, struct span other)
{
    return secret.len == other.len && CRYPTO_memcmp(secret.at, other.at, secret.len) == 0;
}
