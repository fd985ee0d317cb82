/* client_sign.h: AWS Signature Version 4 for requests without a query string.
 *
 * Source: "Create a signed AWS API request", IAM User Guide. */
#ifndef CLIENT_SIGN_H
#define CLIENT_SIGN_H

#include "base/buf.h"

struct sign_keys {
    const char *access_key;
    const char *secret_key;
    const char *session_token; /* NULL for long-term keys; the caller sends it as a header */
};

struct sign_header {
    const char *name; /* lower case */
    const char *value;
};

struct sign_request {
    const char *method;
    const char *path;                  /* already in canonical form: "/" for DynamoDB */
    const struct sign_header *headers; /* all of them are signed; any order */
    size_t header_count;
    struct span body;
};

struct sign_scope {
    const char *date; /* as in X-Amz-Date: 20150830T123600Z */
    const char *region;
    const char *service;
};

/* The value of the Authorization header. */
const char *sign_authorization(struct arena *a, const struct sign_keys *keys,
                               const struct sign_scope *scope, const struct sign_request *request);

#endif
