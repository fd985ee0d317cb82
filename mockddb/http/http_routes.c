/* What the program answers; the first row that fits. Rows of services that speak other content
 * types go in front of the protocol's, by their target. */
#include "http/http_console.h"
#include "http/http_own.h"
#include "http/http_protocol.h"
#include "http/http_reply.h"
#include "http/http_upload.h"

const struct http_route http_routes[] = {
    {.path = "/_mockddb/health",
     .methods = HTTP_TAKES(HTTP_GET),
     .flags = HTTP_OWN,
     .handle = http_own_health},
    {.path = "/_mockddb",
     .methods = HTTP_TAKES(HTTP_GET),
     .flags = HTTP_OWN | HTTP_CONSOLE,
     .handle = http_console_redirect},
    {.path = "/_mockddb/",
     .methods = HTTP_TAKES(HTTP_GET),
     .flags = HTTP_OWN | HTTP_CONSOLE,
     .handle = http_console_page},
    {.path = "/_mockddb/console/*",
     .methods = HTTP_TAKES(HTTP_GET),
     .flags = HTTP_OWN | HTTP_CONSOLE,
     .handle = http_console_page},
    {.path = "/_mockddb/snapshots/*/file",
     .methods = HTTP_TAKES(HTTP_PUT),
     .flags = HTTP_OWN | HTTP_ADMIN | HTTP_STREAMS_BODY,
     .handle = http_upload_begin},
    {.path = "/_mockddb/*", .flags = HTTP_OWN | HTTP_ADMIN, .handle = http_admin_verb},
    {.path = "/_mockddb/*", .flags = HTTP_OWN, .handle = http_own_nothing},
    {.methods = HTTP_TAKES(HTTP_OPTIONS), .handle = http_protocol_options},
    {.path = "/", .methods = HTTP_TAKES(HTTP_GET), .handle = http_protocol_health},
    {.methods = HTTP_TAKES(HTTP_POST),
     .types = http_protocol_types,
     .handle = http_protocol_operation},
    {.handle = http_reply_unknown},
};
