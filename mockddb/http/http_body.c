#include "http/http_body.h"

#include "base/ascii.h"
#include "base/process.h"
#include "http/http_limits.h"

#include <event2/buffer.h>

#define MAX_SIZE_DIGITS 16

/* Reads digits; a number beyond 64 bits becomes the largest. */
static uint64_t length_of(const char *digits)
{
    uint64_t length = 0;

    for (; *digits; digits++) {
        unsigned digit = (unsigned)(*digits - '0');

        if (length > (UINT64_MAX - digit) / 10)
            return UINT64_MAX;
        length = length * 10 + digit;
    }
    return length;
}

struct http_body http_body_begin(const struct http_fields *fields)
{
    if (fields->transfer_encoding)
        return (struct http_body){.stage = HTTP_BODY_SIZE};
    return (struct http_body){
        .left = fields->content_length ? length_of(fields->content_length) : 0,
    };
}

/* Moves up to `left` bytes; returns whether all of them were moved. */
static bool move(struct http_body *b, struct evbuffer *from, struct evbuffer *to, size_t *most)
{
    size_t len = evbuffer_get_length(from);

    len = len < *most ? len : *most;
    len = len < b->left ? len : (size_t)b->left;
    process_need(!len || evbuffer_remove_buffer(from, to, len) == (int)len);
    b->left -= len;
    *most -= len;
    return b->left == 0;
}

enum line { LINE_MORE, LINE_TAKEN, LINE_BROKEN };

/* Takes a line without its end. */
static enum line take_line(struct evbuffer *from, char text[HTTP_MAX_CHUNK_LINE])
{
    size_t end_len;
    struct evbuffer_ptr end = evbuffer_search_eol(from, NULL, &end_len, EVBUFFER_EOL_CRLF_STRICT);

    if (end.pos < 0)
        return evbuffer_get_length(from) < HTTP_MAX_CHUNK_LINE ? LINE_MORE : LINE_BROKEN;
    if ((size_t)end.pos >= HTTP_MAX_CHUNK_LINE)
        return LINE_BROKEN;
    evbuffer_remove(from, text, (size_t)end.pos);
    evbuffer_drain(from, end_len);
    text[end.pos] = '\0';
    return strlen(text) == (size_t)end.pos ? LINE_TAKEN : LINE_BROKEN;
}

static bool take_data_end(struct evbuffer *from)
{
    char end[2];

    return evbuffer_remove(from, end, sizeof end) == sizeof end && end[0] == '\r' && end[1] == '\n';
}

/* Reads a line of a chunked body. */
static enum http_body_state step_line(struct http_body *b, struct evbuffer *from)
{
    char line[HTTP_MAX_CHUNK_LINE];

    switch (take_line(from, line)) {
    case LINE_MORE:
        return HTTP_BODY_MORE;
    case LINE_BROKEN:
        return HTTP_BODY_BROKEN;
    case LINE_TAKEN:
        break;
    }
    if (b->stage == HTTP_BODY_SIZE) {
        const char *at = line;
        uint64_t size = 0;

        /* Reads "1a" or "1A;name=value"; extensions are ignored. */
        for (; ascii_hex(*at) >= 0; at++)
            size = size << 4 | (unsigned)ascii_hex(*at);
        if (at == line || at - line > MAX_SIZE_DIGITS)
            return HTTP_BODY_BROKEN;
        b->extras += strlen(at);
        at += strspn(at, " \t");
        b->left = size;
        b->stage = size ? HTTP_BODY_DATA : HTTP_BODY_TRAILER;
        if (*at && *at != ';')
            return HTTP_BODY_BROKEN;
    } else if (!*line) {
        b->stage = HTTP_BODY_OVER;
    } else {
        b->extras += strlen(line);
    }
    return b->extras > HTTP_MAX_CHUNK_EXTRAS ? HTTP_BODY_BROKEN : HTTP_BODY_WHOLE;
}

enum http_body_state http_body_move(struct http_body *b, struct evbuffer *from, struct evbuffer *to,
                                    size_t most)
{
    enum http_body_state line;

    for (;;) {
        switch (b->stage) {
        case HTTP_BODY_PLAIN:
            if (!move(b, from, to, &most))
                return HTTP_BODY_MORE;
            b->stage = HTTP_BODY_OVER;
            break;
        case HTTP_BODY_DATA:
            if (!move(b, from, to, &most))
                return HTTP_BODY_MORE;
            b->stage = HTTP_BODY_END;
            break;
        case HTTP_BODY_END:
            if (evbuffer_get_length(from) < 2)
                return HTTP_BODY_MORE;
            if (!take_data_end(from))
                return HTTP_BODY_BROKEN;
            b->stage = HTTP_BODY_SIZE;
            break;
        case HTTP_BODY_SIZE:
        case HTTP_BODY_TRAILER:
            if ((line = step_line(b, from)) != HTTP_BODY_WHOLE)
                return line;
            break;
        case HTTP_BODY_OVER:
            return HTTP_BODY_WHOLE;
        }
    }
}
