/* http_world.h: finds the world of a request. */
#pragma once

#include "http/http_auth.h"

struct http_handler;

/* The name in the header x-mockddb-world, or, with worlds by access key, the access key in the
 * claim; a key that is not a valid world's name is hashed into one. At NULL: the first world. */
struct span http_world_name(const struct http_handler *h, const struct http_request *request,
                            const struct http_claim *claim);

/* Returns what is wrong with the request's own headers of mockddb, or NULL. */
const char *http_world_problem(const struct http_handler *h, const struct http_request *request);

/* Whether the request has this header with the value true; always false without verbs. */
bool http_world_asks(const struct http_handler *h, const char *header);
