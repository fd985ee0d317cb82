/* http_service.h: the protocols of neighbouring services on the same port, besides plain JSON: JSON
 * with the query protocol's error codes, CBOR, and the query protocol itself.
 *
 * Each request becomes one for dispatch, and dispatch's answer is converted to the protocol.
 * Source: docs/behaviour/neighbours.md. */
#pragma once

#include "http/http_handler.h"

/* The content types of requests. */
extern const char *const http_service_json_types[];
extern const char *const http_service_cbor_types[];

void http_service_json(struct http_handler *h, struct http_exchange *x);
void http_service_cbor(struct http_handler *h, struct http_exchange *x);
void http_service_query(struct http_handler *h, struct http_exchange *x);
