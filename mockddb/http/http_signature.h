/* http_signature.h: whether a request was signed with a key that we know, for us and lately.
 *
 * Source: "Troubleshoot signed requests for AWS APIs", IAM User Guide; docs/doors.md. */
#ifndef HTTP_HTTP_SIGNATURE_H
#define HTTP_HTTP_SIGNATURE_H

#include "http/http_auth.h"
#include "http/http_keys.h"

struct http_handler;

/* What is wrong with the signature that the request claims, its message in *message;
 * ERROR_NONE when it is good at the time `now_ms`. */
enum error_kind http_signature_verify(struct arena *a, const struct http_keys *keys, int64_t now_ms,
                                      const struct http_request *request,
                                      const struct http_claim *claim, struct buf *message);

/* The same of a request to the handler, in the headers or in the query: what is wrong with it, or
 * with its form alone where no keys are asked for. *claim has its parts; all of them are empty
 * where its form is wrong. */
enum error_kind http_signature_check(const struct http_handler *h,
                                     const struct http_request *request, struct http_claim *claim,
                                     struct buf *message);

#endif
