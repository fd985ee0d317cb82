/* http_signature.h: verifies that a request was signed recently, with a known key, for this
 * service.
 *
 * Source: "Troubleshoot signed requests for AWS APIs", IAM User Guide; docs/doors.md. */
#pragma once

#include "http/http_auth.h"
#include "http/http_keys.h"

struct http_handler;

/* Verifies the signature in `claim` at time `now_ms`. Returns the error with its text in *message,
 * or ERROR_NONE. */
enum error_kind http_signature_verify(struct arena *a, const struct http_keys *keys, int64_t now_ms,
                                      const struct http_request *request,
                                      const struct http_claim *claim, struct buf *message);

/* Verifies the signature of a request to the handler, in its headers or query; without keys, checks
 * only its form. *claim gets its parts, which are empty if the form is wrong. */
enum error_kind http_signature_check(const struct http_handler *h,
                                     const struct http_request *request, struct http_claim *claim,
                                     struct buf *message);
