/* The routes of the program; the first matching row answers. Rows of services with other content
 * types are in front of the protocol's, and match by their target. */
#include "http/http_console.h"
#include "http/http_mcp.h"
#include "http/http_protocol.h"
#include "http/http_reply.h"
#include "http/http_service.h"
#include "http/http_signature.h"
#include "http/http_upload.h"
#include "ops/metrics/metrics_text.h"

#define NO_DATABASE "the database does not answer"

static void show_health(struct http_handler *h, struct http_exchange *x)
{
    if (!store_answers(world_store(worlds_first(h->worlds)))) {
        http_reply_message(h, x, 503, NO_DATABASE);
        return;
    }
    http_reply_body(h, x, 200, HTTP_JSON,
                    SPAN_LIT("{\"status\":\"ok\",\"version\":\"" MOCKDDB_VERSION "\"}\n"));
}

/* Metrics of all worlds, in Prometheus' text format. */
static void show_metrics(struct http_handler *h, struct http_exchange *x)
{
    size_t count = worlds_count(h->worlds);
    struct metrics_text_source *sources;
    struct http_claim claim;
    struct buf out;

    arena_reset(h->arena);
    out = buf_in(h->arena);
    if (h->options.keys && http_signature_check(h, &x->request, &claim, &out) != ERROR_NONE) {
        http_reply_message(h, x, 403, "this page needs a valid signature");
        return;
    }
    sources = arena_array(h->arena, count, sizeof *sources);
    for (size_t i = 0; i < count; i++) {
        struct world *w = worlds_at(h->worlds, i);
        const struct settings *settings = world_settings(w);

        sources[i] = (struct metrics_text_source){
            .world = world_name(w),
            .region = settings->regional ? settings->region : (struct span){"", 0},
        };
        if (world_metrics(w, h->arena, &sources[i].metrics)) {
            http_reply_message(h, x, 503, NO_DATABASE);
            return;
        }
    }
    metrics_text_write(&out, sources, count);
    http_reply_body(h, x, 200, "text/plain; version=0.0.4", buf_span(&out));
}

static void refuse_path(struct http_handler *h, struct http_exchange *x)
{
    http_reply_message(h, x, 404, "this page does not exist");
}

const struct http_route http_routes[] = {
    {.path = "/_mockddb/health",
     .methods = HTTP_TAKES(HTTP_GET),
     .flags = HTTP_OWN,
     .handle = show_health},
    {.path = "/_mockddb",
     .methods = HTTP_TAKES(HTTP_GET),
     .flags = HTTP_OWN | HTTP_CONSOLE | HTTP_LINKED,
     .handle = http_console_redirect},
    {.path = "/_mockddb/",
     .methods = HTTP_TAKES(HTTP_GET),
     .flags = HTTP_OWN | HTTP_CONSOLE | HTTP_LINKED,
     .handle = http_console_page},
    {.path = "/_mockddb/console/*",
     .methods = HTTP_TAKES(HTTP_GET),
     .flags = HTTP_OWN | HTTP_CONSOLE,
     .handle = http_console_page},
    {.path = "/_mockddb/snapshots/*/file",
     .methods = HTTP_TAKES(HTTP_PUT),
     .flags = HTTP_OWN | HTTP_ADMIN | HTTP_STREAMS_BODY,
     .handle = http_upload_begin},
    {.path = "/_mockddb/import",
     .methods = HTTP_TAKES(HTTP_POST),
     .flags = HTTP_OWN | HTTP_ADMIN | HTTP_STREAMS_BODY,
     .handle = http_upload_begin},
    {.path = "/_mockddb/metrics",
     .methods = HTTP_TAKES(HTTP_GET),
     .flags = HTTP_OWN | HTTP_ADMIN,
     .handle = show_metrics},
    {.path = "/_mockddb/mcp", .flags = HTTP_OWN | HTTP_AGENTS, .handle = http_mcp_message},
    {.path = "/_mockddb/*", .flags = HTTP_OWN | HTTP_ADMIN, .handle = http_admin_verb},
    {.path = "/_mockddb/*", .flags = HTTP_OWN, .handle = refuse_path},
    {.methods = HTTP_TAKES(HTTP_OPTIONS), .handle = http_protocol_options},
    {.path = "/", .methods = HTTP_TAKES(HTTP_GET), .handle = http_protocol_health},
    {.path = "/service/GraniteServiceVersion20100801/operation/*",
     .methods = HTTP_TAKES(HTTP_POST),
     .types = http_service_cbor_types,
     .handle = http_service_cbor},
    {.methods = HTTP_TAKES(HTTP_POST),
     .target = "GraniteServiceVersion20100801.",
     .types = http_service_json_types,
     .handle = http_service_json},
    {.methods = HTTP_TAKES(HTTP_POST),
     .target = "AnyScaleFrontendService.",
     .types = http_service_json_types,
     .handle = http_protocol_operation},
    {.methods = HTTP_TAKES(HTTP_POST),
     .target = "ResourceGroupsTaggingAPI_20170126.",
     .types = http_service_json_types,
     .handle = http_protocol_operation},
    {.methods = HTTP_TAKES(HTTP_POST),
     .target = "TrentService.",
     .types = http_service_json_types,
     .handle = http_protocol_operation},
    {.methods = HTTP_TAKES(HTTP_POST),
     .flags = HTTP_BY_TYPE,
     .types = http_route_form_types,
     .handle = http_service_query},
    {.methods = HTTP_TAKES(HTTP_POST),
     .types = http_protocol_types,
     .handle = http_protocol_operation},
    {.handle = http_reply_unknown},
};
