#include "base/terminal.h"

#include "base/utf8.h"

#include <unistd.h>

#define SECOND_SET 0x80 /* of C1 control characters, up to 0x9f; in UTF-8 after a byte C2 */
#define SECOND_END 0x9f
#define LEAD       0xc2

static bool is_control(unsigned char c)
{
    return (c < ' ' && c != '\n' && c != '\t') || c == 0x7f;
}

static bool is_of_second_set(unsigned char c)
{
    return c >= SECOND_SET && c <= SECOND_END;
}

/* The control character at the beginning, *len bytes long, or -1. */
static int control_at(struct span text, bool is_utf8, size_t *len)
{
    const unsigned char *at = (const unsigned char *)text.at;

    *len = 1;
    if (is_control(at[0]) || (!is_utf8 && is_of_second_set(at[0])))
        return at[0];
    if (is_utf8 && at[0] == LEAD && is_of_second_set(at[1])) {
        *len = 2;
        return at[1];
    }
    return -1;
}

static void add_part(struct buf *out, struct span text, bool is_utf8)
{
    size_t len;

    for (; text.len; text = span_from(text, len)) {
        int code = control_at(text, is_utf8, &len);

        if (code < 0)
            buf_add(out, text.at, len);
        else
            buf_printf(out, "\\u%04x", (unsigned)code);
    }
}

void terminal_add(struct buf *out, struct span text)
{
    while (text.len) {
        size_t valid = (size_t)(utf8_valid_end(text) - text.at);

        add_part(out, (struct span){text.at, valid}, true);
        text = span_from(text, valid);
        if (!text.len)
            break;
        add_part(out, (struct span){text.at, 1}, false);
        text = span_from(text, 1);
    }
}

void terminal_vsay(const char *fmt, va_list args)
{
    struct arena *a = arena_new();
    struct buf text = buf_in(a), out = buf_in(a);

    buf_vprintf(&text, fmt, args);
    terminal_add(&out, buf_span(&text));
    if (out.len)
        (void)fwrite(out.at, out.len, 1, stderr);
    arena_free(a);
}

void terminal_say(const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    terminal_vsay(fmt, args);
    va_end(args);
}

bool terminal_write(FILE *to, struct span text)
{
    struct arena *a;
    struct buf out;
    bool written;

    if (!text.len || !isatty(fileno(to)))
        return !text.len || fwrite(text.at, text.len, 1, to);
    a = arena_new();
    out = buf_in(a);
    terminal_add(&out, text);
    written = fwrite(out.at, out.len, 1, to);
    arena_free(a);
    return written;
}

void terminal_print(const char *fmt, ...)
{
    struct arena *a = arena_new();
    va_list args;

    va_start(args, fmt);
    if (!terminal_write(stdout, span_of(arena_vprintf(a, fmt, args))))
        terminal_say("standard output cannot be written\n");
    va_end(args);
    arena_free(a);
}
