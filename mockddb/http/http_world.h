/* http_world.h: which world a request means. */
#ifndef HTTP_HTTP_WORLD_H
#define HTTP_HTTP_WORLD_H

#include "http/http_auth.h"

struct http_handler;

/* The name in the header x-mockddb-world, or, with worlds by access key, the access key that the
 * claim has; a key that is no name of a world is hashed into one. At NULL: the first world. */
struct span http_world_name(const struct http_handler *h, const struct http_request *request,
                            const struct http_claim *claim);

/* What is wrong with the request's headers that are our own; NULL: nothing. */
const char *http_world_problem(const struct http_handler *h, const struct http_request *request);

/* Whether a header of ours is there and says so; false where there are no verbs. */
bool http_world_asks(const struct http_handler *h, const char *header);

#endif
