/* http_auth.h: the form of a request's signature, and what it claims.
 *
 * Source: "Troubleshooting Signature Version 4 errors"; docs/behaviour/http.md. */
#ifndef HTTP_HTTP_AUTH_H
#define HTTP_HTTP_AUTH_H

#include "base/buf.h"
#include "http/http_message.h"
#include "model/error.h"

/* The parts of a signature as they stand in the request: those in a query are percent-encoded. */
struct http_claim {
    bool in_query;
    struct span algorithm, credential, signed_headers, signature, date;
    struct span expires; /* in a query only; at NULL: none */
    struct span token;   /* of the session; at NULL: none */
};

/* What is wrong with the form of the signature in the headers or in the query of the URI, its
 * message in *message; ERROR_NONE when nothing is: then *claim has its parts. */
enum error_kind http_auth_check(const struct http_request *request, struct http_claim *claim,
                                struct buf *message);

/* Whose signature it claims to be: what comes before the first slash of the credential. */
struct span http_auth_access_key(struct arena *a, const struct http_claim *claim);

/* The region that a signature in a header is scoped to: what comes between the second slash of the
 * credential and the third; "" where there is none, and for all other requests. What is not written
 * as a region is gives ERROR_INVALID_SIGNATURE and its message, all else ERROR_NONE. */
enum error_kind http_auth_region(const struct http_claim *claim, struct span *region,
                                 struct buf *message);

#endif
