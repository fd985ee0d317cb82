/* fuzz_http.c: what a front end hands over: method and path, headers, a body.
 *
 *   POST /?X-Amz-Date=…
 *   Host: localhost:8000
 *   X-Amz-Target: DynamoDB_20120810.ListTables
 *
 *   {"Limit":1}
 *
 * Each goes to a handler that takes any signature and to one that verifies it with the keys below,
 * where now is 2015-08-30T12:36:00Z. A status has a reason, no header of a reply has a line end in
 * it, and nothing is an InternalServerError. A second target in one, after "keys\n": a file of
 * access keys. */
#include "fuzz.h"

#include "http/http_handler.h"
#include "support/offline_server.h"

#include <unistd.h>

#define NOW_MS 1440938160000
#define KEYS   "AKIA secret\nASIA other token/1==\n"

/* The file's keys, or NULL where it cannot be used; then there is a problem to tell. */
static const struct http_keys *load_keys(struct arena *a, struct span text)
{
    char path[] = "/tmp/fuzz_http.XXXXXX";
    int fd = mkstemp(path);
    const struct http_keys *keys;
    const char *problem = NULL;

    must(fd >= 0 && write(fd, text.at, text.len) == (ssize_t)text.len && close(fd) == 0,
         "a file of keys can be written");
    keys = http_keys_load(a, path, &problem);
    unlink(path);
    must(!keys == (problem != NULL), "keys are loaded, or there is a problem");
    must(!problem || !strchr(problem, '\n'), "a problem is one line");
    return keys;
}

static enum http_method method_of(struct span word)
{
    if (span_is(word, "GET"))
        return HTTP_GET;
    if (span_is(word, "HEAD"))
        return HTTP_HEAD;
    if (span_is(word, "POST"))
        return HTTP_POST;
    return span_is(word, "OPTIONS") ? HTTP_OPTIONS : HTTP_OTHER;
}

/* Up to the first of `ends`, which is taken as well. */
static struct span cut_at(struct span *rest, const char *ends)
{
    size_t len = 0;
    struct span word;

    while (len < rest->len && !strchr(ends, rest->at[len]))
        len++;
    word = (struct span){rest->at, len};
    *rest = span_from(*rest, len + (len < rest->len));
    return word;
}

/* As a head would be read: text without line ends, NUL or blanks around a header's value. */
static struct http_request read_request(struct arena *a, struct span input)
{
    struct http_header *headers = arena_array(a, input.len + 1, sizeof *headers);
    struct span line = fuzz_line(&input);
    struct http_request request = {.port = 8000, .headers = headers};

    request.method = method_of(cut_at(&line, " "));
    request.uri = arena_text(a, cut_at(&line, " \r"));
    while (input.len && (line = fuzz_line(&input)).len) {
        struct http_header *header = &headers[request.header_count++];

        header->name = arena_text(a, cut_at(&line, ":"));
        header->value = arena_text(a, cut_at(&line, "\r"));
        header->value += strspn(header->value, " \t");
        http_message_note(&request.fields, header->name, header->value);
    }
    request.body = input;
    return request;
}

static void check(const struct http_reply *reply)
{
    must(reply->status >= 200 && reply->status < 500, "a request is answered or refused");
    must(reply->reason && *reply->reason, "a status has a reason");
    must(reply->header_count <= HTTP_MAX_HEADERS, "the headers have room");
    for (size_t i = 0; i < reply->header_count; i++)
        must(!strpbrk(reply->headers[i].value, "\r\n"), "a header is one line");
}

static void handle(struct worlds *worlds, struct clock *clock, const struct http_request *request,
                   const struct http_keys *keys)
{
    const struct http_handler_options options = {
        .region = SPAN_LIT("us-east-1"),
        .door = {.served = "127.0.0.1", .origins = "http://page.example"},
        .keys = keys};
    struct http_handler *handler = http_handler_new(worlds, clock, &options);
    struct http_exchange x = {.request = *request};

    http_handler_answer(handler, &x);
    check(&x.reply);
    http_handler_free(handler);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    struct clock *clock;
    struct worlds *worlds = offline_worlds_new(
        a, &(struct offline_options){.now_ms = NOW_MS, .seed = 1}, &clock);
    struct span input = fuzz_input(a, data, size);

    if (span_starts_with(input, SPAN_LIT("keys\n"))) {
        load_keys(a, span_from(input, strlen("keys\n")));
    } else {
        struct http_request request = read_request(a, input);

        handle(worlds, clock, &request, NULL);
        handle(worlds, clock, &request, load_keys(a, SPAN_LIT(KEYS)));
    }
    worlds_free(worlds);
    arena_free(a);
    return 0;
}
