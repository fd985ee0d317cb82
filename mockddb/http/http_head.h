/* http_head.h: takes a request's head from the bytes as they arrive, and parses it strictly.
 *
 * RFC 9112: anything that two parsers could understand in two ways is refused. Lines may end with a
 * line feed alone; lines cannot be folded; no control characters. */
#pragma once

#include "http/http_message.h"

struct evbuffer;

/* Owns its bytes; a request parsed from it points to them. Zeroed, it is empty. */
struct http_head {
    char *text;
    size_t len, capacity;
    struct http_header *headers;
    size_t header_capacity;
};

enum http_head_state { HTTP_HEAD_MORE, HTTP_HEAD_WHOLE, HTTP_HEAD_TOO_LONG };

/* Takes the head out of the buffer once it is complete; each byte is searched once. */
enum http_head_state http_head_take(struct http_head *h, struct evbuffer *from);

/* Parses a complete head into *out (method, URI, version, headers, fields). Returns 0, or the
 * status of the refusal. */
int http_head_read(struct http_head *h, struct http_request *out);

/* Makes it empty for the next request. */
void http_head_reset(struct http_head *h);
void http_head_free(struct http_head *h);
