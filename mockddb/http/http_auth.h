/* http_auth.h: the form of a request's signature. Any credentials do; their form must be right.
 *
 * Source: "Troubleshooting Signature Version 4 errors"; docs/behaviour/http.md. */
#ifndef HTTP_HTTP_AUTH_H
#define HTTP_HTTP_AUTH_H

#include "base/buf.h"
#include "http/http_message.h"
#include "model/error.h"

/* What is wrong with the signature in the headers or in the query of the URI, its message in
 * *message; ERROR_KIND_COUNT when nothing is. */
enum error_kind http_check_auth(const struct http_request *request, struct buf *message);

#endif
