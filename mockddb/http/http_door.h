/* http_door.h: who may use the pages under /_mockddb/.
 *
 * They have no signature to tell friend from foe. A page of another site must not reach them
 * through a browser: neither as a cross-site request, nor under a name of its own that its DNS
 * leads to this machine (DNS rebinding). */
#ifndef HTTP_HTTP_DOOR_H
#define HTTP_HTTP_DOOR_H

#include "http/http_message.h"

struct http_door {
    const char *served;         /* the address or name that the server listens on */
    const char *const *allowed; /* further names */
    size_t allowed_count;
};

/* NULL when the request may come in, else why not in a few words. `port`: where it came in. */
const char *http_door_refuses(const struct http_door *door, uint16_t port,
                              const struct http_fields *fields);

#endif
