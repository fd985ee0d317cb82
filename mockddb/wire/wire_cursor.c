#include "wire/wire_cursor.h"

#include "base/ascii.h"
#include "base/plain.h"
#include "base/utf8.h"

static const char *skip_blanks(const char *at)
{
    while ((unsigned char)*at <= ' ')
        at++;
    return at;
}

/* --- strings --------------------------------------------------------------------------------- */

/* Returns the closing quote of the string at `at`; *escaped says whether it has escapes. */
static const char *closing_quote(const struct wire_source *s, const char *at, bool *escaped)
{
    const char *end = wire_end(s);

    *escaped = false;
    for (at++; *(at = plain_end(at, end)) != '"';) {
        *escaped = true;
        do
            at += 2;
        while (*at == '\\');
    }
    return at;
}

/* Reads four hexadecimal digits. */
static unsigned code_unit(const char *at)
{
    unsigned code = 0;

    for (int i = 0; i < 4; i++)
        code = code * 16 + (unsigned)ascii_hex(at[i]);
    return code;
}

/* Decodes the escape after a backslash at `at`; moves *to and returns the end of the escape. */
static const char *unescape_one(const char *at, char **to)
{
    static const char chars['t' + 1] = {['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['n'] = '\n',
                                        ['r'] = '\r', ['t'] = '\t',  ['b'] = '\b', ['f'] = '\f'};
    unsigned code;

    if (*at != 'u') {
        *(*to)++ = chars[(unsigned char)*at];
        return at + 1;
    }
    code = code_unit(at + 1);
    at += 5;
    if (code >= 0xD800 && code <= 0xDBFF) {
        code = 0x10000 + ((code - 0xD800) << 10) + (code_unit(at + 2) - 0xDC00);
        at += 6;
    }
    *to = utf8_put(*to, code);
    return at;
}

/* Decoded text is never longer than its escapes. */
static struct span unescape_string(const struct wire_source *s, const char *at, const char *end)
{
    char *bytes = arena_alloc_raw(s->arena, (size_t)(end - at)), *to = bytes;

    while (at < end) {
        const char *slash = memchr(at, '\\', (size_t)(end - at));
        size_t plain = (size_t)((slash ? slash : end) - at);

        memcpy(to, at, plain);
        to += plain;
        for (at = slash ? slash : end; at < end && *at == '\\';)
            at = unescape_one(at + 1, &to);
    }
    return (struct span){bytes, (size_t)(to - bytes)};
}

const char *wire_read_string(const struct wire_source *s, const char *at, struct span *out)
{
    bool escaped;
    const char *quote = closing_quote(s, at, &escaped);

    *out = escaped ? unescape_string(s, at + 1, quote)
                   : (struct span){at + 1, (size_t)(quote - at) - 1};
    return quote + 1;
}

/* --- values ---------------------------------------------------------------------------------- */

static const char *past_string(const struct wire_source *s, const char *at)
{
    bool escaped;

    return closing_quote(s, at, &escaped) + 1;
}

/* The recorded extent of the container, or NULL. */
static const struct wire_extent *noted_extent(const struct wire_source *s, const char *at)
{
    uint32_t from = (uint32_t)(at - s->text.at);
    size_t low = 0, high = s->extent_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (s->extents[middle].from < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->extent_count && s->extents[low].from == from ? &s->extents[low] : NULL;
}

static const char *past_container(const struct wire_source *s, const char *at)
{
    const struct wire_extent *whole = noted_extent(s, at);
    size_t depth = 0;

    if (whole)
        return s->text.at + whole->to;
    do {
        if (*at == '"') {
            at = past_string(s, at);
            continue;
        }
        if (*at == '{' || *at == '[')
            depth++;
        else if (*at == '}' || *at == ']')
            depth--;
        at++;
    } while (depth);
    return at;
}

const char *wire_past_value(const struct wire_source *s, const char *at)
{
    if (*at == '"')
        return past_string(s, at);
    if (*at == '{' || *at == '[')
        return past_container(s, at);
    while (*at != ',' && *at != ']' && *at != '}' && (unsigned char)*at > ' ')
        at++;
    return at;
}

/* --- containers ------------------------------------------------------------------------------ */

/* Sets the place to the name or value at `at`. */
static void set_place(const struct wire_source *s, struct wire_place *p, const char *at)
{
    if (p->named && at[2] == '"' && !plain_is_special(at[1]) && at[3] == ':' &&
        (unsigned char)at[4] > ' ') { /* "L": and similar */
        p->name = (struct span){at + 1, 1};
        at += 4;
    } else if (p->named) {
        at = skip_blanks(skip_blanks(wire_read_string(s, at, &p->name)) + 1);
    }
    p->at = at;
}

bool wire_enter(const struct wire_source *s, const char *at, struct wire_place *p)
{
    const char *first = skip_blanks(at + 1);

    p->name = (struct span){NULL, 0};
    p->named = *at == '{';
    p->at = first + 1;
    if (*first == '}' || *first == ']')
        return false;
    set_place(s, p, first);
    return true;
}

bool wire_step(const struct wire_source *s, struct wire_place *p, const char *past)
{
    past = skip_blanks(past);
    p->at = past + 1;
    if (*past != ',')
        return false;
    set_place(s, p, skip_blanks(past + 1));
    return true;
}

size_t wire_count_in(const struct wire_source *s, const char *at)
{
    const struct wire_extent *whole = noted_extent(s, at);
    struct wire_place p;
    size_t count = 0;

    if (whole)
        return whole->count;
    for (bool more = wire_enter(s, at, &p); more; more = wire_step(s, &p, wire_past_value(s, p.at)))
        count++;
    return count;
}
