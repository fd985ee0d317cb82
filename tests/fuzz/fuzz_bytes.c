/* fuzz_bytes.c: the bytes of a connection: a head, and the body that it announces.
 *
 * They are read as one piece and a byte at a time, and both come to the same: where the request
 * ends, its status, what its body is. A head that is taken has no control characters, names are
 * tokens, and where it ends is not ambiguous. */
#include "fuzz.h"

#include "http/http_body.h"
#include "http/http_head.h"

#include <event2/buffer.h>

struct reading {
    struct http_head head;
    struct http_request request;
    enum http_head_state state;
    int status;
    enum http_body_state body_state;
    struct evbuffer *input, *content;
};

/* Goes as far as the bytes go. */
static void read_on(struct reading *r, struct http_body *body)
{
    if (r->state == HTTP_HEAD_MORE) {
        r->state = http_head_take(&r->head, r->input);
        if (r->state != HTTP_HEAD_WHOLE || (r->status = http_head_read(&r->head, &r->request)))
            return;
        *body = http_body_begin(&r->request.fields);
    }
    if (r->state == HTTP_HEAD_WHOLE && !r->status && r->body_state == HTTP_BODY_MORE)
        r->body_state = http_body_move(body, r->input, r->content, SIZE_MAX);
}

static void read_in_steps(struct reading *r, struct span bytes, size_t step)
{
    struct http_body body = {0};

    *r = (struct reading){.input = evbuffer_new(), .content = evbuffer_new()};
    for (size_t at = 0; at < bytes.len; at += step) {
        size_t rest = bytes.len - at;

        evbuffer_add(r->input, bytes.at + at, rest < step ? rest : step);
        read_on(r, &body);
    }
}

static void forget(struct reading *r)
{
    http_head_free(&r->head);
    evbuffer_free(r->input);
    evbuffer_free(r->content);
}

static void check_head(const struct http_request *request)
{
    must(!request->fields.ambiguous, "where a request ends is clear");
    must(*request->uri && !strpbrk(request->uri, " \t\r\n"), "a URI is one word");
    for (size_t i = 0; i < request->header_count; i++) {
        must(!strpbrk(request->headers[i].name, " \t\r\n:"), "a name is one word");
        must(!strpbrk(request->headers[i].value, "\r\n"), "a value is one line");
    }
}

static void compare(struct reading *a, struct reading *b)
{
    size_t len = evbuffer_get_length(a->content);

    must(a->state == b->state && a->status == b->status, "a head is the same in pieces");
    if (a->state != HTTP_HEAD_WHOLE || a->status)
        return;
    must(strcmp(a->request.uri, b->request.uri) == 0, "a URI is the same in pieces");
    must(a->request.header_count == b->request.header_count, "headers are the same in pieces");
    must(a->body_state == b->body_state, "a body ends as it does in pieces");
    must(evbuffer_get_length(b->content) == len, "a body is as long as in pieces");
    must(!len || memcmp(evbuffer_pullup(a->content, -1), evbuffer_pullup(b->content, -1), len) == 0,
         "a body is the same in pieces");
    if (a->body_state == HTTP_BODY_WHOLE)
        must(evbuffer_get_length(a->input) == evbuffer_get_length(b->input),
             "what follows is the same in pieces");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    struct span input = fuzz_input(a, data, size);
    struct reading whole, pieces;

    read_in_steps(&whole, input, size ? size : 1);
    read_in_steps(&pieces, input, 1);
    if (whole.state == HTTP_HEAD_WHOLE && !whole.status)
        check_head(&whole.request);
    compare(&whole, &pieces);
    forget(&whole);
    forget(&pieces);
    arena_free(a);
    return 0;
}
