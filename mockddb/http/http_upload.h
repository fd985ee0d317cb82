/* http_upload.h: verbs that take a file, which may be long: it is written to a temporary file as it
 * arrives. */
#pragma once

#include "http/http_exchange.h"

struct http_handler;

/* A route's handler; the route streams its body. */
void http_upload_begin(struct http_handler *h, struct http_exchange *x);
