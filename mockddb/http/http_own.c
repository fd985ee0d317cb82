#include "http/http_own.h"

#include "http/http_reply.h"

void http_own_health(struct http_handler *h, struct http_exchange *x)
{
    http_reply_body(h, x, 200, HTTP_JSON,
                    SPAN_LIT("{\"status\":\"ok\",\"version\":\"" MOCKDDB_VERSION "\"}\n"));
}

void http_own_nothing(struct http_handler *h, struct http_exchange *x)
{
    http_reply_message(h, x, 404, "there is no such page");
}
