#include "http/http_head.h"

#include "base/ascii.h"
#include "base/process.h"
#include "http/http_limits.h"

#include <event2/buffer.h>
#include <stdlib.h>

#define STEP       ((size_t)2048) /* most heads are shorter */
#define KEPT_BYTES ((size_t)8 * 1024)
#define KEPT_COUNT ((size_t)64)

/* --- taking ----------------------------------------------------------------------------------- */

static void make_room(struct http_head *h, size_t more)
{
    if (h->capacity - h->len >= more)
        return;
    h->capacity = h->capacity * 2 > h->len + more ? h->capacity * 2 : h->len + more;
    h->text = process_realloc(h->text, h->capacity);
}

/* The position after the head's empty line; 0 if it has not arrived. `from`: already searched. */
static size_t find_end(const struct http_head *h, size_t from)
{
    const char *at = h->text + (from < 3 ? 0 : from - 3), *end = h->text + h->len;

    while ((at = memchr(at, '\n', (size_t)(end - at)))) {
        at++;
        if (at < end && *at == '\n')
            return (size_t)(at + 1 - h->text);
        if (at + 1 < end && at[0] == '\r' && at[1] == '\n')
            return (size_t)(at + 2 - h->text);
    }
    return 0;
}

/* Copies the next bytes, at most a step; returns their number. */
static size_t copy_step(struct http_head *h, struct evbuffer *from)
{
    struct evbuffer_ptr at;
    ev_ssize_t got;

    if (evbuffer_get_length(from) <= h->len ||
        evbuffer_ptr_set(from, &at, h->len, EVBUFFER_PTR_SET))
        return 0;
    make_room(h, STEP);
    got = evbuffer_copyout_from(from, &at, h->text + h->len, STEP);
    return got > 0 ? (size_t)got : 0;
}

enum http_head_state http_head_take(struct http_head *h, struct evbuffer *from)
{
    size_t before, end;

    if (!h->len) {
        char c;

        /* Empty lines before a request are ignored (RFC 9112, 2.2). */
        while (evbuffer_copyout(from, &c, 1) == 1 && (c == '\r' || c == '\n'))
            evbuffer_drain(from, 1);
    }
    for (;;) {
        before = h->len;
        h->len += copy_step(h, from);
        if (h->len == before)
            return HTTP_HEAD_MORE;
        if ((end = find_end(h, before))) {
            h->len = end;
            evbuffer_drain(from, end);
            return end > HTTP_MAX_HEAD ? HTTP_HEAD_TOO_LONG : HTTP_HEAD_WHOLE;
        }
        if (h->len > HTTP_MAX_HEAD)
            return HTTP_HEAD_TOO_LONG;
    }
}

/* --- reading ---------------------------------------------------------------------------------- */

/* Cuts the line at *rest off, without its end; returns NULL if it has a control character. */
static char *cut_line(char **rest)
{
    char *line = *rest, *end = strchr(line, '\n');

    if (!end) /* the line contains a NUL */
        return NULL;
    *rest = end + 1;
    if (end > line && end[-1] == '\r')
        end--;
    *end = '\0';
    for (const char *at = line; at < end; at++)
        if (((unsigned char)*at < ' ' && *at != '\t') || *at == '\x7f')
            return NULL;
    return line;
}

static bool is_token_character(char c)
{
    if (ascii_is_letter(c) || ascii_is_digit(c) || c == '-')
        return true;
    return ascii_is_one_of(c, "!#$%&'*+.^_`|~");
}

/* The length of the token at the beginning. */
static size_t token_length(const char *text)
{
    size_t len = 0;

    while (is_token_character(text[len]))
        len++;
    return len;
}

/* Reads "HTTP/1.1". Every 1.x is treated as 1.1 (RFC 9110, 2.5). */
static int read_version(const char *text, struct http_request *out)
{
    static const struct span name = SPAN_LIT_INIT("HTTP/");

    if (!span_starts_with(span_of(text), name) || strlen(text) != name.len + 3)
        return 400;
    text += name.len;
    if (!ascii_is_digit(text[0]) || text[1] != '.' || !ascii_is_digit(text[2]))
        return 400;
    out->http_1_0 = text[2] == '0';
    return text[0] == '1' ? 0 : 505;
}

/* Reads "POST / HTTP/1.1". */
static int read_request_line(char *line, struct http_request *out)
{
    size_t method_len = line ? token_length(line) : 0;
    char *uri, *version;

    if (!method_len || line[method_len] != ' ')
        return 400;
    line[method_len] = '\0';
    uri = line + method_len + 1;
    if (!(version = strchr(uri, ' ')) || version == uri || strchr(uri, '\t'))
        return 400;
    *version++ = '\0';
    out->method = http_message_method(line);
    out->uri = uri;
    return read_version(version, out);
}

static struct http_header *next_header(struct http_head *h, size_t count)
{
    if (count == h->header_capacity) {
        h->header_capacity = h->header_capacity ? h->header_capacity * 2 : 16;
        h->headers = process_realloc(h->headers, h->header_capacity * sizeof *h->headers);
    }
    return &h->headers[count];
}

int http_head_read(struct http_head *h, struct http_request *out)
{
    char *rest, *line;
    int status;

    make_room(h, 1);
    h->text[h->len] = '\0';
    rest = h->text;
    if ((status = read_request_line(cut_line(&rest), out)))
        return status;
    while ((line = cut_line(&rest)) && *line) {
        struct http_header *header = next_header(h, out->header_count);
        size_t name_len = token_length(line);
        char *value = line + name_len, *end;

        /* Reads "Name: value", without blanks around the value. */
        if (!name_len || *value != ':')
            return 400;
        *value++ = '\0';
        value += strspn(value, " \t");
        end = value + strlen(value);
        while (end > value && (end[-1] == ' ' || end[-1] == '\t'))
            end--;
        *end = '\0';
        *header = (struct http_header){line, value};
        out->header_count++;
        http_message_note(&out->fields, header->name, header->value);
    }
    out->headers = h->headers;
    if (!line || out->fields.ambiguous || (out->http_1_0 && out->fields.transfer_encoding))
        return 400;
    return 0;
}

void http_head_reset(struct http_head *h)
{
    if (h->capacity > KEPT_BYTES || h->header_capacity > KEPT_COUNT)
        http_head_free(h);
    h->len = 0;
}

void http_head_free(struct http_head *h)
{
    free(h->text);
    free(h->headers);
    *h = (struct http_head){0};
}
