/* http_door.h: which web pages may send requests.
 *
 * Any website can make a browser send requests to a server on the user's machine, and a signature
 * that is not verified stops none of them. A page can also have a name of its own that its DNS
 * leads to this machine (DNS rebinding); then `Host` has that name, and only `Origin` shows where
 * the page came from. Programs that are not browsers send no `Origin`. */
#ifndef HTTP_HTTP_DOOR_H
#define HTTP_HTTP_DOOR_H

#include "http/http_message.h"

struct http_door {
    const char *served;         /* the address or name that the server listens on */
    const char *const *allowed; /* further names */
    size_t allowed_count;
    const char
        *origins; /* of --cors: "*", or origins separated by commas; NULL: it was not given */
};

/* The DynamoDB protocol. Returns NULL when the request may come in, else why not in one sentence.
 */
const char *http_door_refuses(const struct http_door *door, const struct http_fields *fields);

/* Pages under /_mockddb/, which are for no page of another site. `port`: where the request came in;
 * `linked`: it asks for a page to which other sites may have a link. */
const char *http_door_refuses_own(const struct http_door *door, uint16_t port, bool linked,
                                  const struct http_fields *fields);

/* What Access-Control-Allow-Origin says to an origin that may come in: "*", or the origin. */
const char *http_door_answer(const struct http_door *door, const char *origin);

#endif
