/* http_body.h: finds the end of a request's body: by its length, or by its last chunk.
 *
 * RFC 9112, 6 and 7.1. Chunks are parsed strictly: digits, extensions, line ends of two bytes. */
#pragma once

#include "http/http_message.h"

struct evbuffer;

struct http_body {
    enum http_body_stage {
        HTTP_BODY_PLAIN, /* `left` bytes to the end */
        HTTP_BODY_SIZE,  /* a chunk's first line */
        HTTP_BODY_DATA,  /* `left` bytes of a chunk */
        HTTP_BODY_END,   /* the line end behind them */
        HTTP_BODY_TRAILER,
        HTTP_BODY_OVER,
    } stage;
    uint64_t left;
    size_t extras; /* bytes of extensions and trailers so far */
};

enum http_body_state { HTTP_BODY_MORE, HTTP_BODY_WHOLE, HTTP_BODY_BROKEN };

/* Begins the body of a request with these fields, which must not be ambiguous. */
struct http_body http_body_begin(const struct http_fields *fields);

/* Moves the received part of the body, at most `most` bytes, to the end of `to`. */
enum http_body_state http_body_move(struct http_body *b, struct evbuffer *from, struct evbuffer *to,
                                    size_t most);
