#include "wire/wire_scan.h"

#include "base/ascii.h"
#include "base/plain.h"
#include "base/utf8.h"
#include "model/limits.h"
#include "wire/wire_glance.h"

#define MAX_DEPTH 1000 /* nested containers */

struct scanner {
    struct wire_source *out;
    const char *at, *end;
    size_t depth;
    size_t extents_cap;
    size_t extent[WIRE_EXTENT_DEPTH];  /* of the open containers, outermost first */
    uint32_t count[WIRE_EXTENT_DEPTH]; /* their numbers of children so far */
    char closer[MAX_DEPTH];            /* the brackets that are still open, outermost first */
};

/* The next character; at the end NUL, which JSON never has outside of strings. */
static char next_char(const struct scanner *s)
{
    return s->at < s->end ? *s->at : '\0';
}

static void skip_blanks(struct scanner *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\n' || *s->at == '\r' || *s->at == '\t'))
        s->at++;
}

static bool take_char(struct scanner *s, char c)
{
    if (next_char(s) != c)
        return false;
    s->at++;
    return true;
}

/* --- tokens ---------------------------------------------------------------------------------- */

/* The value of `\u` and four digits at the scanner's position, or -1. */
static long scan_code(struct scanner *s)
{
    long code = 0;

    if (s->end - s->at < 6 || s->at[0] != '\\' || s->at[1] != 'u')
        return -1;
    for (int i = 2; i < 6; i++) {
        int digit = ascii_hex(s->at[i]);

        if (digit < 0)
            return -1;
        code = code * 16 + digit;
    }
    s->at += 6;
    return code;
}

/* A surrogate pair must be complete, high half first. */
static bool scan_escape(struct scanner *s)
{
    char c = s->end - s->at > 1 ? s->at[1] : '\0';
    long code;

    if (ascii_is_one_of(c, "\"\\/bfnrt")) {
        s->at += 2;
        return true;
    }
    if ((code = scan_code(s)) < 0 || (code >= 0xDC00 && code <= 0xDFFF))
        return false;
    if (code < 0xD800 || code > 0xDBFF)
        return true;
    code = scan_code(s);
    return code >= 0xDC00 && code <= 0xDFFF;
}

static bool scan_string(struct scanner *s)
{
    if (!take_char(s, '"'))
        return false;
    for (;;) {
        s->at = plain_end(s->at, s->end);
        if (take_char(s, '"'))
            return true;
        if (next_char(s) != '\\' || !scan_escape(s))
            return false;
    }
}

/* Scans at least one digit; otherwise returns false. */
static bool scan_digits(struct scanner *s)
{
    const char *from = s->at;

    while (s->at < s->end && ascii_is_digit(*s->at))
        s->at++;
    return s->at > from;
}

static bool scan_number(struct scanner *s)
{
    const char *digits;

    take_char(s, '-');
    digits = s->at;
    if (!scan_digits(s) || (*digits == '0' && s->at - digits > 1))
        return false;
    if (take_char(s, '.') && !scan_digits(s))
        return false;
    if (!take_char(s, 'e') && !take_char(s, 'E'))
        return true;
    if (!take_char(s, '+'))
        take_char(s, '-');
    return scan_digits(s);
}

static bool scan_word(struct scanner *s, const char *word)
{
    size_t len = strlen(word);

    if ((size_t)(s->end - s->at) < len || memcmp(s->at, word, len) != 0)
        return false;
    s->at += len;
    return true;
}

static bool scan_scalar(struct scanner *s)
{
    switch (next_char(s)) {
    case '"':
        return scan_string(s);
    case 't':
        return scan_word(s, "true");
    case 'f':
        return scan_word(s, "false");
    case 'n':
        return scan_word(s, "null");
    default:
        return scan_number(s);
    }
}

/* --- containers ------------------------------------------------------------------------------ */

static void note_open(struct scanner *s)
{
    struct wire_source *out = s->out;
    size_t cap = s->extents_cap;

    if (out->extent_count == cap) {
        s->extents_cap = cap ? 2 * cap : 32;
        out->extents = arena_grow(out->arena, out->extents, cap * sizeof *out->extents,
                                  s->extents_cap * sizeof *out->extents);
    }
    s->extent[s->depth] = out->extent_count;
    s->count[s->depth] = 0;
    out->extents[out->extent_count++].from = (uint32_t)(s->at - out->text.at);
}

/* A container that turns out to be small is not recorded; its contents were smaller still. */
static void note_close(struct scanner *s)
{
    struct wire_source *out = s->out;
    struct wire_extent *extent = &out->extents[s->extent[s->depth]];

    extent->to = (uint32_t)(s->at - out->text.at);
    extent->count = s->count[s->depth];
    if (extent->to - extent->from < WIRE_EXTENT_MIN)
        out->extent_count = s->extent[s->depth];
}

static bool open_container(struct scanner *s)
{
    if (s->depth == MAX_DEPTH)
        return false;
    s->out->container_count++;
    if (s->depth < WIRE_EXTENT_DEPTH)
        note_open(s);
    s->closer[s->depth++] = *s->at++ == '{' ? '}' : ']';
    return true;
}

static void close_container(struct scanner *s, bool empty)
{
    size_t height = s->depth + !empty;

    if (height > s->out->height)
        s->out->height = height;
    s->at++;
    s->depth--;
    if (s->depth < WIRE_EXTENT_DEPTH)
        note_close(s);
}

/* Scans up to the value of the next member or element. */
static bool scan_name(struct scanner *s)
{
    const char *from;

    skip_blanks(s);
    if (s->closer[s->depth - 1] == ']')
        return true;
    from = s->at;
    if (!scan_string(s))
        return false;
    if (s->at - from <= 2 || s->at - from > LIMIT_ATTRIBUTE_NAME)
        s->out->odd_names = true;
    skip_blanks(s);
    if (!take_char(s, ':'))
        return false;
    skip_blanks(s);
    return true;
}

/* Scans a value in the most frequent form, which is too short to be recorded. */
static bool glance_value(struct scanner *s)
{
    struct span text;
    const char *past = wire_glance(s->at, s->end, &text);

    if (!past && !(past = wire_glance_null(s->at, s->end)))
        return false;
    s->at = past;
    if (s->depth + 2 > s->out->height)
        s->out->height = s->depth + 2;
    return true;
}

/* Scans a scalar, an empty container, or all containers that open before the first of these;
 * *inside says that a container was opened whose first value comes next. */
static bool scan_value(struct scanner *s, bool *inside)
{
    *inside = false;
    if (s->depth && s->depth <= WIRE_EXTENT_DEPTH)
        s->count[s->depth - 1]++;
    if (next_char(s) != '{' && next_char(s) != '[')
        return scan_scalar(s);
    if (s->depth && s->depth < MAX_DEPTH && glance_value(s))
        return true;
    if (!open_container(s))
        return false;
    skip_blanks(s);
    if (next_char(s) == s->closer[s->depth - 1]) {
        close_container(s, true);
        return true;
    }
    *inside = true;
    return scan_name(s);
}

/* After a value: closes the containers that end here and goes to the next value, if any. */
static bool scan_rest(struct scanner *s)
{
    while (s->depth) {
        skip_blanks(s);
        if (take_char(s, ','))
            return scan_name(s);
        if (next_char(s) != s->closer[s->depth - 1])
            return false;
        close_container(s, false);
    }
    return true;
}

static bool scan_object(struct scanner *s)
{
    bool inside;

    skip_blanks(s);
    if (next_char(s) != '{')
        return false;
    s->out->root = s->at;
    do {
        if (!scan_value(s, &inside) || (!inside && !scan_rest(s)))
            return false;
    } while (s->depth);
    skip_blanks(s);
    return s->at == s->end;
}

bool wire_scan(struct span text, struct wire_source *out, const char **stop)
{
    struct scanner s; /* large, so it is not initialized as a whole */

    *stop = NULL;
    if (text.len >= UINT32_MAX)
        return false;
    out->text = text;
    out->extents = NULL;
    out->extent_count = 0;
    out->container_count = 0;
    out->odd_names = false;
    out->height = 1;
    s.out = out;
    s.at = utf8_begins_with_mark(text) ? text.at + 3 : text.at;
    s.end = span_end(text);
    s.depth = 0;
    s.extents_cap = 0;
    if (!scan_object(&s)) {
        *stop = s.at;
        return false;
    }
    return utf8_valid(text);
}
