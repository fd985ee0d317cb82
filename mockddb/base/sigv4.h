/* sigv4.h: AWS Signature Version 4, for signing and for verifying.
 *
 * Source: "Create a signed AWS API request", IAM User Guide. */
#pragma once

#include "base/buf.h"

#define SIGV4_ALGORITHM  "AWS4-HMAC-SHA256"
#define SIGV4_TERMINATOR "aws4_request"

struct sigv4_keys {
    const char *access_key;
    const char *secret_key;
    const char *session_token; /* NULL for long-term keys; the caller sends it as a header */
};

struct sigv4_header {
    const char *name; /* lower case */
    const char *value;
};

struct sigv4_request {
    const char *method;
    const char *path;  /* in canonical form: "/" for DynamoDB */
    const char *query; /* in canonical form; may be "" */
    /* All of them are signed. Their order does not matter, except that headers of the same name
     * come in the order in which they were sent. */
    const struct sigv4_header *headers;
    size_t header_count;
    struct span body;
    const unsigned char *body_sum; /* the body's SHA-256; NULL: it is computed */
};

struct sigv4_scope {
    const char *date; /* as in X-Amz-Date: 20150830T123600Z */
    const char *region;
    const char *service;
};

/* The signature: 64 hexadecimal digits, in lower case. */
const char *sigv4_signature(struct arena *a, const char *secret_key,
                            const struct sigv4_scope *scope, const struct sigv4_request *request);

/* The value of the Authorization header. */
const char *sigv4_authorization(struct arena *a, const struct sigv4_keys *keys,
                                const struct sigv4_scope *scope,
                                const struct sigv4_request *request);

/* The canonical form of a path as sent: without dot segments and empty segments, and encoded (once
 * more if it was encoded before). */
const char *sigv4_path(struct arena *a, struct span path);

/* The canonical form of a query as sent, without its `?` and without the parameter `without`: a
 * presigned URL's signature does not sign itself. */
const char *sigv4_query(struct arena *a, struct span query, const char *without);

/* Adds the text with %41 for all characters but letters, digits and -._~. */
void sigv4_encode(struct buf *out, struct span text);

/* Decodes %41 to A; anything that is not an escape stays unchanged. */
struct span sigv4_decode(struct arena *a, struct span text);

/* Whether two secrets are equal, in a time that does not depend on where they differ. */
bool sigv4_same(struct span secret, struct span other);
