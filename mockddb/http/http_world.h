/* http_world.h: which world a request means. */
#ifndef HTTP_HTTP_WORLD_H
#define HTTP_HTTP_WORLD_H

#include "http/http_auth.h"

struct http_handler;

/* The name in the header x-mockddb-world, or, with worlds by access key, the access key that the
 * claim has; a key that is no name of a world is hashed into one. Empty: the first world. */
struct span http_world_name(const struct http_handler *h, const struct http_request *request,
                            const struct http_claim *claim);

#endif
