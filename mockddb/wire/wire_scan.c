#include "wire/wire_scan.h"

#include "base/utf8.h"

#define ONES  0x0101010101010101u
#define HIGHS 0x8080808080808080u

/* The high bits of the bytes that are a quote, a backslash or a control character. Bytes above
 * the lowest of them may be marked too. */
static uint64_t special_bytes(uint64_t word)
{
    uint64_t quote = word ^ (ONES * '"');
    uint64_t slash = word ^ (ONES * '\\');

    return (((quote - ONES) & ~quote) | ((slash - ONES) & ~slash) |
            ((word - ONES * 0x20) & ~word)) &
           HIGHS;
}

static bool is_special(char c)
{
    return c == '"' || c == '\\' || (unsigned char)c < 0x20;
}

/* First byte at or after `at` that is a quote, a backslash or a control character. */
static const char *skip_plain(const char *at, const char *end)
{
    uint64_t word;

    for (; end - at >= 8; at += 8) {
        memcpy(&word, at, sizeof word);
        if (special_bytes(word))
            break;
    }
    while (at < end && !is_special(*at))
        at++;
    return at;
}

/* From after the opening quote to after the closing one; NULL where the string is not one. */
static const char *scan_string(const char *at, const char *end, struct wire_scan *out)
{
    for (;;) {
        at = skip_plain(at, end);
        if (at == end || (unsigned char)*at < 0x20)
            return NULL;
        if (*at == '"')
            return at + 1;
        if (end - at < 2)
            return NULL;
        out->nul_count += end - at >= 6 && memcmp(at, "\\u0000", 6) == 0;
        at += 2;
    }
}

static const char *skip_digits(const char *at, const char *end)
{
    while (at < end && *at >= '0' && *at <= '9')
        at++;
    return at;
}

/* From the first character to after the last one; NULL where the number is not one. */
static const char *scan_number(const char *at, const char *end)
{
    const char *digits;

    at += *at == '-';
    digits = at;
    at = skip_digits(at, end);
    if (at == digits || (*digits == '0' && at - digits > 1))
        return NULL;
    if (at < end && *at == '.') {
        digits = ++at;
        if ((at = skip_digits(at, end)) == digits)
            return NULL;
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        at += at < end && (*at == '+' || *at == '-');
        digits = at;
        if ((at = skip_digits(at, end)) == digits)
            return NULL;
    }
    return at;
}

static void add_number(struct arena *a, struct wire_scan *out, const char *from, const char *to)
{
    size_t n = out->number_count;

    if ((n & (n - 1)) == 0) /* full at each power of two */
        out->numbers = arena_grow(a, out->numbers, n * sizeof *out->numbers,
                                  (n ? 2 * n : 1) * sizeof *out->numbers);
    out->numbers[n] = arena_span(a, (struct span){from, (size_t)(to - from)});
    out->number_count++;
}

bool wire_scan(struct arena *a, struct span text, struct wire_scan *out)
{
    const char *at = text.at, *end = at + text.len;
    const char *from;

    *out = (struct wire_scan){0};
    if (!utf8_valid(text))
        return false;
    while (at < end) {
        from = at;
        if (*at == '"') {
            at = scan_string(at + 1, end, out);
        } else if (*at == '-' || (*at >= '0' && *at <= '9')) {
            if ((at = scan_number(at, end)))
                add_number(a, out, from, at);
        } else if ((unsigned char)*at < 0x20 && *at != '\n' && *at != '\r' && *at != '\t') {
            return false;
        } else {
            at++;
        }
        if (!at)
            return false;
    }
    return true;
}

struct span wire_hide_nuls(struct arena *a, struct span text)
{
    char *to = arena_alloc_raw(a, text.len), *start = to;
    const char *at = text.at, *end = at + text.len;

    while (at < end) {
        if (end - at >= 6 && memcmp(at, "\\u0000", 6) == 0) {
            *to++ = (char)0xC0;
            *to++ = (char)0x80;
            at += 6;
        } else {
            if (*at == '\\' && end - at > 1)
                *to++ = *at++;
            *to++ = *at++;
        }
    }
    return (struct span){start, (size_t)(to - start)};
}
