/* http_health.h: asks a running server how it is. */
#ifndef HTTP_HTTP_HEALTH_H
#define HTTP_HTTP_HEALTH_H

#include "base/arena.h"

/* NULL when the server at the URL ("http://127.0.0.1:8000", or https, whatever its certificate)
 * says it is well within a few seconds; else one sentence in the arena. */
const char *http_ask_health(struct arena *a, const char *endpoint);

#endif
