/* http_auth.h: checks the form of a request's signature, and reads its parts.
 *
 * Source: "Troubleshooting Signature Version 4 errors"; docs/behaviour/http.md. */
#pragma once

#include "base/buf.h"
#include "http/http_message.h"
#include "model/error.h"

/* The parts of a signature as received: in a query they are percent-encoded. */
struct http_claim {
    bool in_query;
    struct span algorithm, credential, signed_headers, signature, date;
    struct span expires; /* only in a query; at NULL: none */
    struct span token;   /* of the session; at NULL: none */
};

/* Checks the form of the signature in the headers or the query. Returns the error with its text in
 * *message, or ERROR_NONE with the signature's parts in *claim. */
enum error_kind http_auth_check(const struct http_request *request, struct http_claim *claim,
                                struct buf *message);

/* The access key in the signature: the part of the credential before its first slash. */
struct span http_auth_access_key(struct arena *a, const struct http_claim *claim);

/* The region in the scope of a signature in a header: the part of the credential between its second
 * and third slash; "" if it is missing, and for all other requests. A region in a wrong form gives
 * ERROR_INVALID_SIGNATURE with its message, otherwise the result is ERROR_NONE. */
enum error_kind http_auth_region(const struct http_claim *claim, struct span *region,
                                 struct buf *message);
