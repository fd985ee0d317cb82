/* http_door.h: which web pages may send requests.
 *
 * Any website can make a browser send requests to a server on the user's machine, and unverified
 * signatures do not stop it. A page can also point its own DNS name at this machine (DNS
 * rebinding); then `Host` has that name, and only `Origin` shows where the page came from. Programs
 * other than browsers send no `Origin`. */
#pragma once

#include "http/http_message.h"

struct http_door {
    const char *served;         /* the address or name that the server listens on */
    const char *const *allowed; /* further names */
    size_t allowed_count;
    const char *origins; /* --cors: "*", or origins separated by commas; NULL: not given */
};

/* For the DynamoDB protocol. Returns NULL if the request is allowed, else the reason in one
 * sentence. */
const char *http_door_refuses(const struct http_door *door, const struct http_fields *fields);

/* For paths under /_mockddb/, which other sites' pages may not use. `port`: where the request
 * arrived; `linked`: other sites may link to the page. */
const char *http_door_refuses_own(const struct http_door *door, uint16_t port, bool linked,
                                  const struct http_fields *fields);

/* The value of Access-Control-Allow-Origin for an allowed origin: "*", or the origin. */
const char *http_door_answer(const struct http_door *door, const char *origin);
