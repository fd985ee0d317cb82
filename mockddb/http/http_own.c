#include "http/http_own.h"

#include "http/http_reply.h"
#include "http/http_signature.h"
#include "ops/metrics/metrics_text.h"

void http_own_health(struct http_handler *h, struct http_exchange *x)
{
    http_reply_body(h, x, 200, HTTP_JSON,
                    SPAN_LIT("{\"status\":\"ok\",\"version\":\"" MOCKDDB_VERSION "\"}\n"));
}

void http_own_metrics(struct http_handler *h, struct http_exchange *x)
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
        const struct world *w = worlds_at(h->worlds, i);
        const struct settings *settings = world_settings(w);

        sources[i] = (struct metrics_text_source){
            .world = world_name(w),
            .region = settings->regional ? settings->region : (struct span){"", 0},
            .metrics = world_metrics(w),
        };
    }
    metrics_text_write(&out, sources, count);
    http_reply_body(h, x, 200, "text/plain; version=0.0.4", buf_span(&out));
}

void http_own_nothing(struct http_handler *h, struct http_exchange *x)
{
    http_reply_message(h, x, 404, "this page does not exist");
}
