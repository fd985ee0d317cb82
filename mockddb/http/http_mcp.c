#include "http/http_mcp.h"

#include "base/file_release.h"
#include "base/sigv4.h"
#include "http/http_reply.h"
#include "mcp/mcp.h"

#include <strings.h>

#define BEARER "Bearer "

/* Whether the request has the token: Authorization: Bearer TOKEN. */
static bool has_token(const struct http_handler *h, const struct http_request *request)
{
    const char *given = request->fields.authorization;

    return given && strncasecmp(given, BEARER, sizeof BEARER - 1) == 0 &&
           sigv4_same(span_of(h->options.mcp_token), span_of(given + sizeof BEARER - 1));
}

static void free_message(struct http_exchange *x)
{
    mcp_free(x->work);
    x->work = NULL;
}

/* The reply waits for the world's flush. */
static void reply(struct http_handler *h, struct http_exchange *x, const struct world *world)
{
    struct span body = mcp_reply(x->work);

    http_reply_body(h, x, mcp_status(x->work), body.len ? HTTP_JSON : NULL, body);
    x->reply.world = world;
}

static void continue_call(struct http_handler *h, struct http_exchange *x,
                          const struct world *world);

static void take_answer(struct http_handler *h, struct http_exchange *x,
                        const struct admin_reply *answer)
{
    struct arena *a;
    struct mcp_answer taken;

    if (!answer) {
        mcp_end(x->work);
        continue_call(h, x, NULL);
        return;
    }
    a = arena_new();
    taken = (struct mcp_answer){answer->status, answer->body};
    if (answer->stream)
        taken.body = http_admin_lines(h, a, answer->stream);
    file_release_close(answer->file);
    mcp_take(x->work, &taken, NULL);
    arena_free(a);
    continue_call(h, x, answer->stream ? NULL : answer->world);
}

/* Makes the next request of the call, or replies. A call that has used up the turn's time continues
 * in the next turn. */
static void continue_call(struct http_handler *h, struct http_exchange *x,
                          const struct world *world)
{
    const struct mcp_request *request = mcp_step(x->work, clock_ticks_us(h->clock));
    struct http_admin_file file = {.path = NULL};
    struct admin_request out;

    if (!request) {
        reply(h, x, world);
        return;
    }
    if (clock_work_us() > x->work_until_us) {
        http_admin_hold(h, x);
        return;
    }
    out = (struct admin_request){.method = request->method,
                                 .path = span_of(request->path),
                                 .query = span_of(request->query),
                                 .body = request->uploads ? (struct span){"", 0} : request->body,
                                 .world = request->world};
    if (request->uploads) {
        file.arena = arena_new();
        out.file = file.path = worlds_temporary(file.arena, h->worlds, request->body);
        if (!file.path) {
            arena_free(file.arena);
            mcp_take(x->work, NULL, "there is no room for the file");
            continue_call(h, x, world);
            return;
        }
    }
    http_admin_ask(h, x, &out, &file, mcp_until_us(x->work), take_answer);
}

void http_mcp_message(struct http_handler *h, struct http_exchange *x)
{
    const struct http_request *request = &x->request;
    const struct mcp_envelope envelope = {true, request->fields.mcp_protocol_version,
                                          request->fields.mcp_method, request->fields.mcp_name};
    uint64_t number;

    if (!has_token(h, request)) {
        http_reply_message(h, x, 401,
                           "this page needs the token of --mcp: Authorization: Bearer …");
        http_reply_header(&x->reply, "WWW-Authenticate", "Bearer");
        return;
    }
    if (request->method != HTTP_POST) {
        http_reply_message(h, x, 405, "messages are sent by POST");
        http_reply_header(&x->reply, "Allow", "POST");
        return;
    }
    if (!x->work) { /* else it was held */
        clock_random(h->clock, &number, sizeof number);
        x->work = mcp_new(h->options.mcp, &envelope, request->body, number);
        x->on_over = free_message;
    }
    x->work_until_us = clock_work_us() + INT64_C(1000) * HTTP_TURN_MS;
    continue_call(h, x, NULL);
}
