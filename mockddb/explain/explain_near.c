#include "explain/explain_near.h"

#include "base/ascii.h"
#include "base/distance.h"
#include "base/fold.h"
#include "base/utf8.h"
#include "explain/say.h"

/* --- sameness --------------------------------------------------------------------------------- */

bool explain_near_same(struct span a, struct span b)
{
    unsigned difference;

    return fold_compare(a, b, &difference);
}

/* A mark between parts, such as # and - */
static bool is_mark(char c)
{
    return !ascii_is_digit(c) && !ascii_is_letter(c) && (unsigned char)c < 0x80;
}

/* --- distance --------------------------------------------------------------------------------- */

size_t explain_near_threshold(struct span text)
{
    return text.len < 4 ? 0 : text.len < 8 ? 1 : text.len < 24 ? 2 : 3;
}

size_t explain_near_distance(struct inquiry *q, struct span a, struct span b, size_t limit)
{
    if (a.len <= DISTANCE_LONGEST && b.len <= DISTANCE_LONGEST)
        arena_charge(q->arena, 1 + a.len / 4);
    return distance_between(a, b, limit);
}

static struct span without_marks(struct inquiry *q, struct span name)
{
    struct buf out = buf_in(q->arena);

    for (size_t i = 0; i < name.len; i++)
        if (name.at[i] != '_' && name.at[i] != '-')
            buf_add_char(&out, name.at[i]);
    return buf_span(&out);
}

bool explain_near_names(struct inquiry *q, struct span a, struct span b)
{
    if (explain_near_same(without_marks(q, a), without_marks(q, b)))
        return true;
    return explain_near_distance(q, a, b, 2) <= explain_near_threshold(a) &&
           explain_near_threshold(a) > 0;
}

#define SHORT_NAME ((size_t)4) /* shorter ones are part of others by chance: id in paid_at */

static bool is_upper(char c)
{
    return ascii_lower(c) != c;
}

bool explain_near_longer_name(struct span name, struct span longer)
{
    struct span first = {longer.at, name.len}, last;

    if (name.len < SHORT_NAME || longer.len <= name.len)
        return false;
    if (span_equal(first, name) && (is_mark(longer.at[name.len]) || is_upper(longer.at[name.len])))
        return true;
    last = span_from(longer, longer.len - name.len);
    return explain_near_same(last, name) &&
           (is_mark(longer.at[longer.len - name.len - 1]) || is_upper(last.at[0]));
}

struct span explain_near_nested(struct inquiry *q, const struct field *f, struct span name)
{
    const struct attr *value = &f->value;
    bool is_list = value->type == ATTR_L && value->list.len;

    value = is_list ? value->list.at : value;
    return value->type == ATTR_M && item_find(&value->map, name)
               ? say_text_span(q, is_list ? "%[0].%" : "%.%", f->name, name)
               : (struct span){NULL, 0};
}

/* --- numbers ---------------------------------------------------------------------------------- */

/* The next run of digits at or behind *at, without zeros in front of it; moves *at behind it. len
 * 0: there are no more digits. */
static struct span next_number(struct span text, size_t *at)
{
    size_t from = *at, to;

    while (from < text.len && !ascii_is_digit(text.at[from]))
        from++;
    for (to = from; to < text.len && ascii_is_digit(text.at[to]);)
        to++;
    *at = to;
    while (from + 1 < to && text.at[from] == '0')
        from++;
    return (struct span){text.at + from, to - from};
}

/* Whether the same numbers follow each other in both: ORDER#2027 is not ORDER#2026 mistyped, but
 * another order. */
static bool have_same_numbers(struct span a, struct span b)
{
    size_t i = 0, k = 0;
    struct span x, y;

    do {
        x = next_number(a, &i);
        y = next_number(b, &k);
        if (!span_equal(x, y))
            return false;
    } while (x.len);
    return true;
}

/* Whether they are the same but for zeros in front of numbers. */
static bool are_padded(struct span a, struct span b)
{
    size_t i = 0, k = 0;

    while (i < a.len && k < b.len) {
        if (ascii_is_digit(a.at[i]) && ascii_is_digit(b.at[k])) {
            if (!span_equal(next_number(a, &i), next_number(b, &k)))
                return false;
        } else if (a.at[i++] != b.at[k++]) {
            return false;
        }
    }
    return i == a.len && k == b.len;
}

#define RANDOM_LEN     ((size_t)20) /* letters and digits of an id by chance, such as a UUID */
#define RANDOM_CHANGES 3            /* between letters and digits in it */

bool explain_near_is_random(struct span text)
{
    size_t len = 0, changes = 0;
    bool digit = false;

    for (size_t i = 0; i < text.len && text.len <= DISTANCE_LONGEST; i++) {
        if (text.at[i] == '#') { /* its last part counts */
            len = changes = 0;
            continue;
        }
        if (text.at[i] == '-')
            continue;
        if (is_mark(text.at[i]) || (unsigned char)text.at[i] >= 0x80)
            return false;
        changes += len && digit != ascii_is_digit(text.at[i]);
        digit = ascii_is_digit(text.at[i]);
        len++;
    }
    return len >= RANDOM_LEN && changes >= RANDOM_CHANGES;
}

/* --- marks left out --------------------------------------------------------------------------- */

#define SHORT_WORD ((size_t)8) /* with other marks, shorter ones are something else by chance */

/* Whether they are the same but for the marks in them: an id without its dashes. */
static bool is_without_marks(struct span a, struct span b)
{
    size_t i = 0, k = 0, same = 0;

    for (;;) {
        while (i < a.len && is_mark(a.at[i]))
            i++;
        while (k < b.len && is_mark(b.at[k]))
            k++;
        if (i == a.len || k == b.len)
            return i == a.len && k == b.len && same >= SHORT_WORD;
        if (ascii_lower(a.at[i++]) != ascii_lower(b.at[k++]))
            return false;
        same++;
    }
}

/* --- the nearest ------------------------------------------------------------------------------ */

void explain_near_keep(struct near_best *best, struct span there, size_t distance)
{
    if (span_is_among(there, best->at, best->len))
        return;
    best->seen++;
    if (distance < best->distance)
        best->len = 0;
    if (best->len == EXPLAIN_NEAR_BEST || (best->len && distance > best->distance))
        return;
    best->at[best->len++] = there;
    best->distance = distance;
}

void explain_near_consider(struct inquiry *q, struct near_best *best, struct span asked,
                           struct span there)
{
    struct span a = fold_trimmed(asked), b = fold_trimmed(there);
    size_t limit = explain_near_threshold(asked), distance;
    bool same_letters = is_without_marks(asked, there);

    arena_charge(q->arena, 1 + asked.len / 16);
    if (!have_same_numbers(a, b) && !(explain_near_is_random(a) && explain_near_is_random(b) &&
                                      (a.len == b.len || same_letters)))
        return;
    if (are_padded(a, b) || same_letters)
        explain_near_keep(best, there, 0);
    else if ((distance = explain_near_distance(q, asked, there, limit)) <= limit)
        explain_near_keep(best, there, distance);
}

/* --- a piece more ----------------------------------------------------------------------------- */

#define SHORT ((size_t)3) /* what is left of shorter texts without a piece says nothing */

bool explain_near_is_of_digits(struct span text)
{
    size_t at = 0;

    for (size_t i = 0; i < text.len; i++)
        if (!ascii_is_digit(text.at[i]) && !is_mark(text.at[i]))
            return false;
    return next_number(text, &at).len != 0;
}

/* Whether the piece [from, from + len) of a text is one of its parts, by the marks at its ends. A
 * number is another thing: 2026-09 is not 2026-03-09 with a part less. */
static bool is_part(struct span text, size_t from, size_t len)
{
    size_t end = from + len;

    return (from == 0 || is_mark(text.at[from - 1]) || is_mark(text.at[from])) &&
           (end == text.len || is_mark(text.at[end]) || is_mark(text.at[end - 1])) &&
           !explain_near_is_of_digits((struct span){text.at + from, len});
}

bool explain_near_piece(struct span asked, struct span there)
{
    struct span small = asked.len < there.len ? asked : there;
    struct span large = asked.len < there.len ? there : asked;
    size_t more = large.len - small.len, first = 0, last = 0;

    if (!more || small.len < SHORT)
        return false;
    while (first < small.len && small.at[first] == large.at[first])
        first++;
    while (last < small.len && small.at[small.len - 1 - last] == large.at[large.len - 1 - last])
        last++;
    for (size_t from = small.len - last; from <= first && first + last >= small.len; from++)
        if (is_part(large, from, more))
            return true;
    return false;
}

void explain_near_consider_piece(struct inquiry *q, struct near_best *best, struct span asked,
                                 struct span there)
{
    arena_charge(q->arena, 1 + asked.len / 16);
    if (explain_near_piece(asked, there))
        explain_near_keep(best, there,
                          asked.len < there.len ? there.len - asked.len : asked.len - there.len);
}

/* --- words ------------------------------------------------------------------------------------ */

static bool has_blank_edge(struct span text)
{
    return text.len && (ascii_is_space(text.at[0]) || ascii_is_space(text.at[text.len - 1]));
}

static const char *blank_words(struct span asked, struct span there)
{
    if (asked.len && asked.at[asked.len - 1] == '\n')
        return "what was asked for ends with a line end";
    if (asked.len && ascii_is_space(asked.at[asked.len - 1]))
        return "what was asked for ends with white space";
    if (has_blank_edge(asked))
        return "what was asked for begins with white space";
    if (has_blank_edge(there))
        return "what is stored has white space at its edge";
    return "they differ in white space";
}

const char *explain_near_words(struct span asked, struct span there)
{
    static const struct {
        unsigned kind;
        const char *words;
    } rows[] = {
        {FOLD_HIDDEN_BLANK, "one of them has a no-break or invisible blank"},
        {FOLD_LONG_DASH, "one of them has a long dash, which is not -"},
        {FOLD_CURLY_QUOTE, "one of them has a curly quote, which is not ' or \""},
        {FOLD_ALPHABET, "one of them has a letter of another alphabet, or a wide one, that looks "
                        "the same"},
        {FOLD_ACCENT_FORM, "an accent is part of its letter in one of them, a sign of its own in "
                           "the other (Unicode NFC and NFD)"},
        {FOLD_ACCENT, "they differ in accents"},
        {FOLD_LINE, "texts compare byte by byte, - and _ are two"},
        {FOLD_CASE, "case counts, texts compare byte by byte"},
    };
    unsigned difference;

    if (!fold_compare(asked, there, &difference))
        return NULL;
    for (size_t i = 0; i < COUNT(rows) && !(difference & FOLD_BLANK); i++)
        if (difference & rows[i].kind)
            return rows[i].words;
    return blank_words(asked, there);
}

const char *explain_near_case(struct span asked, struct span there)
{
    unsigned difference;

    return fold_compare(asked, there, &difference) && difference == FOLD_CASE ? ": case counts"
                                                                              : "";
}

void explain_near_show(struct inquiry *q, struct span asked, struct span there)
{
    size_t shared = asked.len < there.len ? asked.len : there.len, first = 0, last = 0, marked;

    if (asked.len > DISTANCE_LONGEST || there.len > DISTANCE_LONGEST)
        return;
    while (first < shared && asked.at[first] == there.at[first])
        first++;
    while (last < shared - first &&
           asked.at[asked.len - 1 - last] == there.at[there.len - 1 - last])
        last++;
    while (first && first < there.len && ((unsigned char)there.at[first] & 0xC0) == 0x80)
        first--; /* to the first byte of a character */
    marked = utf8_letters((struct span){there.at + first, there.len - last - first});
    say_line(q, "asked: %", say_quoted(asked));
    say_line(q, "there: %", say_quoted(there));
    say_marks(q, strlen("there: \"") + utf8_letters((struct span){there.at, first}),
              marked ? marked : 1);
}
