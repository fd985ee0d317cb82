#include "base/fold.h"

#include "base/attributes.h"

/* What a character looks like. */
struct sign {
    uint32_t code;   /* as written */
    uint32_t folded; /* 0: it is invisible, or an accent */
    unsigned kind;   /* how it differs from its folded form; 0: not at all */
};

/* Letters from a code on: without their accents, or what they look like in ASCII; '.': neither. */
static const struct {
    uint32_t first;
    unsigned kind;
    const char *letters;
} alphabets[] = {
    {0xC0, FOLD_ACCENT, "AAAAAA.CEEEEIIII.NOOOOO.OUUUUY..aaaaaa.ceeeeiiii.nooooo.ouuuuy.y"},
    {0x100, FOLD_ACCENT,
     "AaAaAaCcCcCcCcDd..EeEeEeEeEeGgGgGgGgHh..IiIiIiIiI...JjKk.LlLlLl"
     "..LlNnNnNn...OoOoOo..RrRrRrSsSsSsSsTtTt..UuUuUuUuUuUuWwYyYZzZzZz"},
    {0x391, FOLD_ALPHABET, "AB..EZH.IK.MN.O.P..TY.X.......................o"}, /* Greek */
    {0x405, FOLD_ALPHABET,                                                     /* Cyrillic */
     "SI.J.......A.B..E....K.MHO.PCT..X..........a....e........o.pc.y.x...............si.j"},
};

#define WIDE     0xFF01 /* the ASCII characters from '!' on in their full-width form */
#define WIDE_END 0xFF5E

/* --- reading ---------------------------------------------------------------------------------- */

#define NO_SIGN 0x110000 /* and above: bytes that are read one at a time */

/* Reads one character of up to three bytes; longer ones are read byte by byte. */
static uint32_t read_code(struct span *text)
{
    const unsigned char *at = (const unsigned char *)text->at;
    size_t len = at[0] >= 0xE0 && at[0] < 0xF0 ? 3 : at[0] >= 0xC2 && at[0] < 0xE0 ? 2 : 1;
    uint32_t code = at[0];

    if (len > text->len)
        len = 1;
    for (size_t i = 1; i < len; i++)
        if (at[i] >> 6 != 2)
            len = 1;
    if (len > 1)
        code &= len == 2 ? 0x1F : 0x0F;
    for (size_t i = 1; i < len; i++)
        code = code << 6 | (at[i] & 0x3F);
    *text = span_from(*text, len);
    return len == 1 && code >= 0x80 ? NO_SIGN + code : code;
}

static bool is_blank(uint32_t code)
{
    return code == ' ' || (code >= '\t' && code <= '\r');
}

static bool is_hidden_blank(uint32_t code)
{
    return code == 0xA0 || code == 0xAD || (code >= 0x2000 && code <= 0x200F) || code == 0x202F ||
           code == 0x2060 || code == 0x3000 || code == 0xFEFF;
}

static bool is_dash(uint32_t code)
{
    return (code >= 0x2010 && code <= 0x2015) || code == 0x2212;
}

/* The straight quote for a curly one; 0 if it is not a curly quote. */
static uint32_t straight_quote(uint32_t code)
{
    if (code == 0x2018 || code == 0x2019)
        return '\'';
    return code == 0x201C || code == 0x201D ? '"' : 0;
}

static bool is_accent(uint32_t code)
{
    return code >= 0x300 && code <= 0x36F;
}

/* The ASCII letter that a letter with an accent has, or that one of another alphabet looks like;
 * sets how it differs. 0: there is no such letter. */
static char letter_of(uint32_t code, unsigned *kind)
{
    *kind = FOLD_ALPHABET;
    if (code >= WIDE && code <= WIDE_END)
        return (char)(code - WIDE + '!');
    for (size_t i = 0; i < COUNT(alphabets) && code >= alphabets[i].first; i++) {
        const size_t at = code - alphabets[i].first;

        *kind = alphabets[i].kind;
        if (at < strlen(alphabets[i].letters) && alphabets[i].letters[at] != '.')
            return alphabets[i].letters[at];
    }
    return 0;
}

static uint32_t lower_code(uint32_t code)
{
    return code >= 'A' && code <= 'Z' ? code - 'A' + 'a' : code;
}

static struct sign sign_of(uint32_t code)
{
    unsigned kind;
    char letter;

    if (is_blank(code))
        return (struct sign){code, 0, FOLD_BLANK};
    if (is_hidden_blank(code))
        return (struct sign){code, 0, FOLD_HIDDEN_BLANK};
    if (is_accent(code))
        return (struct sign){code, 0, FOLD_ACCENT};
    if (code == '_')
        return (struct sign){code, '-', FOLD_LINE};
    if (is_dash(code))
        return (struct sign){code, '-', FOLD_LONG_DASH};
    if (straight_quote(code))
        return (struct sign){code, straight_quote(code), FOLD_CURLY_QUOTE};
    if ((letter = letter_of(code, &kind)))
        return (struct sign){code, lower_code((unsigned char)letter), kind};
    return (struct sign){code, lower_code(code), code >= 'A' && code <= 'Z' ? FOLD_CASE : 0};
}

/* The next visible character; at the end, code and folded are 0. `unseen` collects the kinds of
 * invisible ones before it. */
static struct sign next_sign(struct span *text, unsigned *unseen)
{
    while (text->len) {
        struct sign s = sign_of(read_code(text));

        if (s.folded)
            return s;
        *unseen |= s.kind;
    }
    return (struct sign){0, 0, 0};
}

/* --- comparing -------------------------------------------------------------------------------- */

/* How two characters differ; `unseen` are the invisible ones that follow in one of the texts. */
static unsigned differ_in(struct sign a, struct sign b, unsigned unseen)
{
    bool one_accent = (a.kind ^ b.kind) & FOLD_ACCENT;
    unsigned kind;

    if (a.code == b.code)
        return 0;
    if (one_accent)
        return unseen & FOLD_ACCENT ? FOLD_ACCENT_FORM : FOLD_ACCENT;
    if (a.kind & FOLD_ACCENT && letter_of(a.code, &kind) != letter_of(b.code, &kind))
        return FOLD_CASE;
    return a.kind | b.kind;
}

/* Advances in both texts as long as they look the same; false at a difference. With `whole`
 * both must reach their end, otherwise only `b`. */
static bool compare_signs(struct span *a, struct span *b, bool whole, unsigned *difference)
{
    struct span in_a = *a, in_b = *b;
    unsigned unseen_a = 0, unseen_b = 0;
    struct sign x = next_sign(&in_a, &unseen_a), y = next_sign(&in_b, &unseen_b);

    *difference = unseen_a ^ unseen_b;
    while (y.folded && x.folded == y.folded) {
        struct sign last_x = x, last_y = y;
        unsigned how;

        *a = in_a;
        *b = in_b;
        unseen_a = unseen_b = 0;
        x = next_sign(&in_a, &unseen_a); /* a combining accent comes after its letter */
        y = next_sign(&in_b, &unseen_b);
        how = differ_in(last_x, last_y, unseen_a | unseen_b);
        *difference |= how;
        if (how != FOLD_ACCENT_FORM)
            *difference |= unseen_a ^ unseen_b;
    }
    return !y.folded && (!whole || !x.folded);
}

bool fold_compare(struct span a, struct span b, unsigned *difference)
{
    struct span rest_a = a, rest_b = b;

    if (!compare_signs(&rest_a, &rest_b, true, difference))
        return false;
    if (!*difference && !span_equal(a, b)) /* the same kinds and counts, but in other places */
        *difference = FOLD_BLANK;
    return true;
}

bool fold_begins(struct span text, struct span prefix, size_t *len)
{
    struct span rest = text, asked = prefix;
    unsigned difference;

    if (!compare_signs(&rest, &asked, false, &difference))
        return false;
    *len = text.len - rest.len;
    return true;
}

struct span fold_trimmed(struct span text)
{
    while (text.len && is_blank((unsigned char)text.at[text.len - 1]))
        text.len--;
    while (text.len && is_blank((unsigned char)text.at[0]))
        text = span_from(text, 1);
    return text;
}
