#include "base/utf8.h"

/* The length of the sequence at s[i], or 0 if it is not well-formed. */
static size_t sequence_length(const unsigned char *s, size_t left)
{
    unsigned char c = s[0], low = 0x80, high = 0xBF;
    size_t len = c < 0xC2 ? 0 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF5 ? 4 : 0;

    if (len == 0 || left < len)
        return 0;
    if (c == 0xE0)
        low = 0xA0;
    else if (c == 0xED)
        high = 0x9F;
    else if (c == 0xF0)
        low = 0x90;
    else if (c == 0xF4)
        high = 0x8F;
    if (s[1] < low || s[1] > high)
        return 0;
    for (size_t i = 2; i < len; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    return len;
}

/* Whether the eight bytes are all ASCII. */
static bool is_ascii_word(const unsigned char *at)
{
    uint64_t word;

    memcpy(&word, at, sizeof word);
    return (word & 0x8080808080808080u) == 0;
}

const char *utf8_valid_end(struct span s)
{
    const unsigned char *at = (const unsigned char *)s.at;
    size_t i = 0;

    while (i < s.len) {
        size_t len = s.len - i >= 8 && is_ascii_word(at + i) ? 8
                     : at[i] < 0x80                          ? 1
                                                             : sequence_length(at + i, s.len - i);

        if (!len)
            break;
        i += len;
    }
    return i ? s.at + i : s.at;
}

bool utf8_valid(struct span s)
{
    return utf8_valid_end(s) == span_end(s);
}

bool utf8_begins_with_mark(struct span s)
{
    return span_starts_with(s, SPAN_LIT("\xEF\xBB\xBF"));
}

struct span utf8_skip_mark(struct span s)
{
    return utf8_begins_with_mark(s) ? span_from(s, 3) : s;
}

char *utf8_put(char *to, uint32_t code)
{
    if (code < 0x80) {
        *to++ = (char)code;
        return to;
    }
    if (code < 0x800) {
        *to++ = (char)(0xC0 | code >> 6);
    } else {
        if (code < 0x10000) {
            *to++ = (char)(0xE0 | code >> 12);
        } else {
            *to++ = (char)(0xF0 | code >> 18);
            *to++ = (char)(0x80 | (code >> 12 & 0x3F));
        }
        *to++ = (char)(0x80 | (code >> 6 & 0x3F));
    }
    *to++ = (char)(0x80 | (code & 0x3F));
    return to;
}

size_t utf8_utf16_length(struct span s)
{
    size_t units = 0;

    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.at[i];

        units += (c & 0xC0) != 0x80; /* the first byte of each sequence … */
        units += c >= 0xF0;          /* … and a surrogate for four-byte ones */
    }
    return units;
}

struct span utf8_cut(struct span s, size_t max)
{
    if (s.len <= max)
        return s;
    while (max && ((unsigned char)s.at[max] & 0xC0) == 0x80)
        max--;
    return (struct span){s.at, max};
}

struct span utf8_of_field(struct arena *a, struct span s)
{
    char *out;
    size_t len = 0;

    if (utf8_valid(s))
        return s;
    out = arena_alloc(a, 2 * s.len);
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.at[i];

        if (c >= 0x80)
            out[len++] = (char)(0xc0 | c >> 6);
        out[len++] = (char)(c < 0x80 ? c : 0x80 | (c & 0x3f));
    }
    return (struct span){out, len};
}

/* --- columns ---------------------------------------------------------------------------------- */

uint32_t utf8_letter(struct span s, size_t *len)
{
    static const unsigned char lead_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    unsigned char lead = (unsigned char)s.at[0];
    uint32_t letter;

    *len = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    *len = *len < s.len ? *len : s.len;
    letter = lead & lead_bits[*len];
    for (size_t i = 1; i < *len; i++)
        letter = letter << 6 | ((unsigned char)s.at[i] & 0x3f);
    return letter;
}

/* Follows Unicode's East Asian Width, in whole blocks; combining marks take no column. */
static size_t columns_of(uint32_t letter)
{
    static const struct {
        uint32_t from, to;
        size_t columns;
    } blocks[] = {
        {0x0300, 0x036f, 0},   {0x1100, 0x115f, 2}, {0x200b, 0x200f, 0}, {0x20d0, 0x20ff, 0},
        {0x2e80, 0xa4cf, 2},   {0xac00, 0xd7a3, 2}, {0xf900, 0xfaff, 2}, {0xfe00, 0xfe0f, 0},
        {0xfe30, 0xfe6f, 2},   {0xff00, 0xff60, 2}, {0xffe0, 0xffe6, 2}, {0x1f300, 0x1faff, 2},
        {0x20000, 0x3fffd, 2},
    };

    for (size_t i = 0; i < COUNT(blocks); i++)
        if (letter >= blocks[i].from && letter <= blocks[i].to)
            return blocks[i].columns;
    return 1;
}

size_t utf8_letters(struct span s)
{
    size_t letters = 0;

    for (size_t i = 0; i < s.len; i++)
        letters += ((unsigned char)s.at[i] & 0xC0) != 0x80; /* not a byte within a character */
    return letters;
}

size_t utf8_columns(struct span s)
{
    size_t columns = 0, len;

    for (; s.len; s = span_from(s, len))
        columns += columns_of(utf8_letter(s, &len));
    return columns;
}

struct span utf8_first_columns(struct span s, size_t most)
{
    struct span rest = s;
    size_t len;

    while (rest.len) {
        size_t columns = columns_of(utf8_letter(rest, &len));

        if (columns > most)
            break;
        most -= columns;
        rest = span_from(rest, len);
    }
    s.len -= rest.len;
    return s;
}

struct span utf8_last_columns(struct span s, size_t most)
{
    size_t columns = utf8_columns(s), len;

    while (columns > most) {
        columns -= columns_of(utf8_letter(s, &len));
        s = span_from(s, len);
    }
    return s;
}
