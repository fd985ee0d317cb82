#include "explain/explain_candidate.h"

#include "base/ascii.h"
#include "base/base64.h"
#include "base/cut.h"
#include "base/fold.h"
#include "base/sigv4.h"
#include "base/utf8.h"
#include "explain/explain_trial.h"
#include "explain/say.h"

#include <stdio.h>

static bool set_text(struct form *f, struct span text)
{
    f->out.bytes = text;
    return true;
}

static struct span last_part(struct span text)
{
    return explain_rows_segment(text, explain_rows_segments(text) - 1);
}

/* --- case, white space, marks ----------------------------------------------------------------- */

/* Each character from `low` to `high`, moved by `shift`. */
static struct span changed(struct inquiry *q, struct span text, char low, char high, int shift)
{
    char *at = arena_text(q->arena, text);

    for (size_t i = 0; i < text.len; i++)
        if (at[i] >= low && at[i] <= high)
            at[i] = (char)(at[i] + shift);
    return (struct span){at, text.len};
}

static bool in_other_letters(struct form *f, unsigned n)
{
    static const struct {
        char low, high;
        int shift;
    } changes[] = {
        {1, 0, 0},
        {'A', 'Z', 'a' - 'A'},
        {'a', 'z', 'A' - 'a'},
        {'_', '_', '-' - '_'},
        {'-', '-', '_' - '-'},
    };

    if (n >= COUNT(changes))
        return false;
    set_text(f, changed(f->q, fold_trimmed(f->asked->bytes), changes[n].low, changes[n].high,
                        changes[n].shift));
    f->why = explain_near_words(f->asked->bytes, f->out.bytes);
    return true;
}

#define LONG_TEXT ((size_t)16 << 10) /* of longer ones the beginning is looked at */

/* A stored text that looks the same: all of it, its beginning or a part of it, as is asked. */
static bool looking_alike(struct form *f, unsigned n)
{
    struct span asked = f->asked->bytes, there = f->like->bytes;
    size_t starts = f->use == FORM_INSIDE ? there.len : f->use == FORM_START, len;

    if (n || f->like->type != ATTR_S)
        return false;
    if (f->use == FORM_EQUAL && explain_near_same(there, asked))
        set_text(f, there);
    for (size_t i = 0; i < starts && i < LONG_TEXT; i++)
        if (fold_begins(span_from(there, i), asked, &len)) {
            set_text(f, (struct span){there.at + i, len});
            break;
        }
    f->why = explain_near_words(asked, f->out.bytes);
    return true;
}

static bool joined_otherwise(struct form *f, unsigned n)
{
    static const char marks[] = " :/|_-";
    size_t count = sizeof marks - 1;
    char mark = n < 2 * count ? marks[n % count] : '\0';
    struct span bare = fold_trimmed(f->asked->bytes);

    if (!mark)
        return false;
    set_text(f, n < count ? changed(f->q, bare, mark, mark, '#' - mark)
                          : changed(f->q, bare, '#', '#', mark - '#'));
    f->why = n < count ? "its parts are joined by #"
                       : say_text(f->q, "its parts are joined by %, not by #", mark);
    return true;
}

/* --- what is around it, and encodings --------------------------------------------------------- */

/* Without these at its ends, in any case; unchanged if they are not there. */
static struct span unwrapped(struct span text, const char *before, const char *after)
{
    size_t from = strlen(before), to = strlen(after);

    if (text.len <= from + to ||
        !explain_near_same((struct span){text.at, from}, span_of(before)) ||
        !span_is(span_from(text, text.len - to), after))
        return text;
    return (struct span){text.at + from, text.len - from - to};
}

/* What texts and addresses are written with, and without. */
static bool wrapped_otherwise(struct form *f, unsigned n)
{
    static const char quotes[] = "the quotes are part of what was asked for",
                      wildcard[] = "its last sign is an ordinary one, wildcards do not exist",
                      scheme[] = "what is stored has no scheme",
                      www[] = "what is stored has no scheme and no www.";
    static const struct {
        const char *before, *after, *why;
        enum { OF_TEXT, OF_ADDRESS, TO_ADDRESS } how; /* taken from it, or added */
    } rows[] = {
        {"\"", "\"", quotes, OF_TEXT},
        {"'", "'", quotes, OF_TEXT},
        {"`", "`", quotes, OF_TEXT},
        {"\\\"", "\\\"", quotes, OF_TEXT},
        {"", "*", wildcard, OF_TEXT},
        {"", "%", wildcard, OF_TEXT},
        {"https://", "", scheme, OF_ADDRESS},
        {"http://", "", scheme, OF_ADDRESS},
        {"mailto:", "", scheme, OF_ADDRESS},
        {"https://www.", "", www, OF_ADDRESS},
        {"http://www.", "", www, OF_ADDRESS},
        {"www.", "", www, OF_ADDRESS},
        {"", "/", "what is stored has no / at its end", OF_ADDRESS},
        {"https://", "", "what is stored has a scheme", TO_ADDRESS},
        {"www.", "", "what is stored has www. in front", TO_ADDRESS},
        {"", "/", "what is stored has a / at its end", TO_ADDRESS},
    };
    struct span part, to;

    if (n >= COUNT(rows))
        return false;
    part = rows[n].how == OF_TEXT ? f->asked->bytes : last_part(f->asked->bytes);
    to = unwrapped(part, rows[n].before, rows[n].after);
    if (rows[n].how == TO_ADDRESS)
        to = span_has(part, '.') && !span_has(part, ' ')
                 ? say_text_span(f->q, "%%%", rows[n].before, part, rows[n].after)
                 : part;
    f->why = rows[n].why;
    return set_text(f, explain_trial_with_part(f->q, f->asked->bytes, part, to));
}

/* "{\"S\": \"a\"}" as a text, or {"S": "a"} as a map. */
static bool without_type(struct form *f, unsigned n)
{
    const struct attr *asked = f->asked;
    const wire_node *root;

    if (n)
        return false;
    if (asked->type == ATTR_M && asked->map.len == 1 &&
        span_is(asked->map.at->name, attr_type_code(asked->map.at->value.type)))
        f->out = asked->map.at->value;
    else if (asked->type == ATTR_S && span_starts_with(asked->bytes, SPAN_LIT("{")) &&
             !wire_parse(f->q->arena, asked->bytes, &root))
        (void)inquiry_read_attr(f->q, root, &f->out);
    return true;
}

static bool percent_decoded(struct form *f, unsigned n)
{
    return !n && set_text(f, sigv4_decode(f->q->arena, fold_trimmed(f->asked->bytes)));
}

#define SHORT ((size_t)8) /* texts that are base64 by chance */

static bool base64_decoded(struct form *f, unsigned n)
{
    struct span decoded;

    if (!n && f->asked->bytes.len >= SHORT &&
        base64_decode(f->q->arena, f->asked->bytes, &decoded) &&
        (f->asked->type == ATTR_B || utf8_valid(decoded)))
        set_text(f, decoded);
    return !n;
}

static bool base64_encoded(struct form *f, unsigned n)
{
    struct buf encoded = buf_in(f->q->arena);

    if (n)
        return false;
    base64_encode(&encoded, f->asked->bytes);
    return set_text(f, buf_span(&encoded));
}

static bool of_hex(struct form *f, unsigned n)
{
    struct span text = f->asked->bytes;
    char *bytes = arena_alloc(f->q->arena, text.len / 2 + 1);

    for (size_t i = 0; i < text.len && !n; i++) {
        int digit = ascii_hex(text.at[i]);

        if (digit < 0)
            return false;
        bytes[i / 2] = (char)((unsigned)bytes[i / 2] << 4 | (unsigned)digit);
    }
    return !n && text.len % 2 == 0 && set_text(f, (struct span){bytes, text.len / 2});
}

/* --- addresses and ids: the last part of a key ------------------------------------------------ */

static bool as_host(struct form *f, unsigned n)
{
    struct span part = last_part(f->asked->bytes);
    struct span bare = unwrapped(unwrapped(part, "https://", ""), "http://", "");
    struct span rest = unwrapped(bare, "www.", "");

    return !n && bare.len < part.len &&
           set_text(f, explain_trial_with_part(f->q, f->asked->bytes, part, cut_part(&rest, '/')));
}

#define UUID_DIGITS ((size_t)32)

static bool as_uuid(struct form *f, unsigned n)
{
    static const char *const words[] = {"UUIDs are stored without braces",
                                        "UUIDs are stored with hyphens",
                                        "UUIDs are stored without hyphens"};
    struct span part = last_part(f->asked->bytes);
    struct span bare = unwrapped(unwrapped(part, "{", "}"), "urn:uuid:", "");
    struct buf digits = buf_in(f->q->arena), out = buf_in(f->q->arena);

    for (size_t i = 0; i < bare.len; i++)
        if (bare.at[i] != '-')
            buf_add_char(&digits, bare.at[i]);
    if (n >= COUNT(words) || digits.len != UUID_DIGITS)
        return false;
    for (size_t i = 0; i < digits.len; i++) {
        if (ascii_hex(digits.at[i]) < 0)
            return false;
        if (n == 1 && i >= 8 && i <= 20 && i % 4 == 0)
            buf_add_char(&out, '-');
        buf_add_char(&out, digits.at[i]);
    }
    f->why = words[n];
    return set_text(
        f, explain_trial_with_part(f->q, f->asked->bytes, part, n ? buf_span(&out) : bare));
}

/* --- dates and moments ------------------------------------------------------------------------ */

static bool as_moment(struct form *f, unsigned n)
{
    struct span at[EXPLAIN_MOMENT_FORMS];

    return n < explain_moment_forms(f->q, f->asked->bytes, at) && set_text(f, at[n]);
}

/* Seconds for milliseconds, a number for a date, as a stored value has it. */
static bool moment_like(struct form *f, unsigned n)
{
    struct attr out = {0};
    const char *why = n ? NULL
                        : explain_moment_mend(f->q, explain_moment_named(f->q, f->name), f->asked,
                                              f->like, &out);

    if (!why)
        return false;
    f->out = out;
    f->why = why;
    return true;
}

/* The first three numbers with the same mark between them. Returns their place; its length is 0 if
 * the text has no such numbers. */
static struct span find_date(struct inquiry *q, struct span text, int out[3])
{
    const char *all = arena_text(q->arena, text);
    char mark, again;
    int len = 0;

    for (size_t i = 0; i < text.len; i++)
        if (ascii_is_digit(all[i]) && (!i || !ascii_is_digit(all[i - 1])) &&
            /* NOLINTNEXTLINE(cert-err34-c): numbers of at most four digits */
            sscanf(all + i, "%4d%c%4d%c%4d%n", &out[0], &mark, &out[1], &again, &out[2], &len) ==
                5 &&
            mark == again && ascii_is_one_of(mark, "-/."))
            return (struct span){text.at + i, (size_t)len};
    return (struct span){text.at, 0};
}

static bool as_date(struct form *f, unsigned n)
{
    static const unsigned char orders[][3] = {{0, 1, 2}, {2, 1, 0}, {2, 0, 1}};
    struct span text = f->asked->bytes, tail, date;
    int numbers[3], year, month, day;
    const char *to;

    date = find_date(f->q, text, numbers);
    if (n >= 2 * COUNT(orders) || !date.len)
        return false;
    year = numbers[orders[n / 2][0]];
    month = numbers[orders[n / 2][1]];
    day = numbers[orders[n / 2][2]];
    tail = span_behind(text, date);
    if (year < 1000 || month < 1 || month > 12 || day < 1 || day > 31 ||
        (n % 2 && (f->use & (FORM_START | FORM_INSIDE) || !tail.len ||
                   !span_has(SPAN_LIT("T "), tail.at[0]))))
        return true;
    to = arena_printf(f->q->arena, "%.*s%d-%02d-%02d", (int)(date.at - text.at), text.at, year,
                      month, day);
    if (n % 2)
        f->why = "the stored ones are dates without a time";
    return set_text(f, say_text_span(f->q, "%%", to, n % 2 ? SPAN_LIT("") : tail));
}

/* 2026-3 at the end for 2026-03. */
static bool as_month(struct form *f, unsigned n)
{
    struct span text = f->asked->bytes;
    size_t at = text.len;

    if (n || at < 6 || !ascii_is_digit(text.at[at - 1]) || text.at[at - 2] != '-')
        return false;
    for (size_t i = at - 6; i < at - 2; i++)
        if (!ascii_is_digit(text.at[i]))
            return false;
    return set_text(
        f, span_of(arena_printf(f->q->arena, "%.*s0%c", (int)at - 1, text.at, text.at[at - 1])));
}

/* --- types ------------------------------------------------------------------------------------ */

/* As the type of the stored value, where it can be that. */
static bool typed_like(struct form *f, unsigned n)
{
    const struct attr *asked = f->asked;
    enum attr_type type = f->like->type;
    bool yes = asked->type == ATTR_S && span_is(asked->bytes, "true");
    struct num number;

    if (n || type == asked->type)
        return false;
    if (type == ATTR_BOOL && (yes || (asked->type == ATTR_S && span_is(asked->bytes, "false"))))
        f->out = (struct attr){.type = ATTR_BOOL, .boolean = yes};
    else if (asked->type <= ATTR_B &&
             (type == ATTR_S ||
              (type == ATTR_N && num_parse(asked->bytes, false, &number) == NUM_OK)))
        f->out = (struct attr){.type = type, .bytes = asked->bytes};
    return true;
}

/* --- parts between # -------------------------------------------------------------------------- */

#define SHORT_PART ((size_t)3) /* shorter ones, and short numbers, are the same by chance */
#define LONG_PART  ((size_t)6)

static bool tells_much(struct span part)
{
    size_t digits = 0;

    for (size_t i = 0; i < part.len; i++)
        digits += ascii_is_digit(part.at[i]);
    return part.len >= (digits == part.len ? LONG_PART : SHORT_PART);
}

/* Without parts in front, or behind. */
static bool with_fewer_parts(struct form *f, unsigned n)
{
    struct span text = f->asked->bytes;
    size_t marks = 0;

    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] == '#' && marks++ == n / 2) {
            struct span part = n % 2 ? (struct span){text.at, i} : span_from(text, i + 1);

            if (f->use == FORM_EQUAL || (n % 2 == 0 && (f->use != FORM_INSIDE || tells_much(part))))
                set_text(f, part);
            return true;
        }
    return false;
}

/* Whether the first part and its # is one that stored values begin with. */
static bool begins_as_stored(const struct form *f)
{
    struct span own = explain_rows_start(f->asked->bytes);

    for (size_t i = 0; own.len && i < f->there->len; i++)
        if (f->there->at[i].type == ATTR_S && span_starts_with(f->there->at[i].bytes, own))
            return true;
    return false;
}

/* With parts of a stored key: its first ones in front of what was asked for, or of the last part of
 * that; or one for the part in its place. */
static bool with_parts_like(struct form *f, unsigned n)
{
    struct span asked = f->asked->bytes, there = f->like->bytes, last = last_part(asked), part;
    size_t parts = explain_rows_segments(asked), wanted = explain_rows_segments(there);

    if (f->like->type != ATTR_S || (f->use == FORM_RANGE && (n || begins_as_stored(f))))
        return false;
    if (n / 2 + 1 < wanted) {
        part = explain_rows_segment(there, n / 2 + 1);
        part = (struct span){there.at, (size_t)(part.at - there.at)};
        if (n % 2 == 0 || (parts > 1 && tells_much(last)))
            set_text(f, say_text_span(f->q, "%%", part, n % 2 ? last : asked));
        return true;
    }
    n -= 2 * (unsigned)(wanted - 1);
    if (n + 1 >= parts || parts != wanted || !tells_much(last))
        return false;
    return set_text(f, explain_trial_with_part(f->q, asked, explain_rows_segment(asked, n),
                                               explain_rows_segment(there, n)));
}

/* --- near ones -------------------------------------------------------------------------------- */

static bool is_of_word(char c)
{
    return ascii_is_letter_or_digit(c) || (unsigned char)c >= 0x80;
}

static bool ends_word(struct span text, size_t at)
{
    return at == text.len || !is_of_word(text.at[at]) || !is_of_word(text.at[at - 1]);
}

#define SHORT_INSIDE ((size_t)5)   /* shorter ones are near some word of a text by chance */
#define LONG_INSIDE  ((size_t)256) /* of longer texts the first words are looked at */

/* Mistyped: all of the text, its beginning, or words of it that are about as long. */
static void near_slips(const struct form *f, struct near_best *best)
{
    struct span asked = f->asked->bytes, there = f->like->bytes;
    size_t off = explain_near_threshold(asked);
    size_t least = f->use == FORM_EQUAL || asked.len > there.len ? there.len : asked.len;

    if (f->use != FORM_INSIDE) {
        explain_near_consider(f->q, best, asked, (struct span){there.at, least});
        return;
    }
    for (size_t i = 0; i < there.len && i < LONG_INSIDE && asked.len >= SHORT_INSIDE; i++)
        for (size_t len = asked.len - off; len <= asked.len + off && i + len <= there.len; len++)
            if ((!i || ends_word(there, i)) && ends_word(there, i + len))
                explain_near_consider(f->q, best, asked, (struct span){there.at + i, len});
}

/* With a part more or less than what was asked for. Of a prefix, each beginning of the text counts
 * that ends with a part and is not just a shorter one of what was asked for. */
static void near_pieces(const struct form *f, struct near_best *best)
{
    struct span asked = f->asked->bytes, there = f->like->bytes;
    bool is_start = f->use == FORM_START;

    for (size_t len = is_start ? 1 : there.len; len <= there.len; len++) {
        struct span start = {there.at, len};

        if (ends_word(there, len) && !(is_start && span_starts_with(asked, start)))
            explain_near_consider_piece(f->q, best, asked, start);
    }
}

/* --- the table -------------------------------------------------------------------------------- */

#define S     (1u << ATTR_S)
#define N     (1u << ATTR_N)
#define B     (1u << ATTR_B)
#define M     (1u << ATTR_M)
#define OTHER (S | N | B | 1u << ATTR_BOOL)

#define FORM(tier, types, use, make, why)        \
    {                                            \
        FORM_##tier, types, use, make, why, NULL \
    }

const struct form_row explain_form_rows[] = {
    FORM(SPELLING, S, FORM_ANY | FORM_LIKE, looking_alike, NULL),
    FORM(SPELLING, S | M, FORM_ANY, without_type, "what was asked for is typed twice"),
    FORM(SPELLING, S, FORM_ANY, in_other_letters, NULL),
    FORM(SPELLING, S, FORM_ANY, wrapped_otherwise, NULL),
    FORM(SPELLING, S, FORM_ANY, percent_decoded, "what was asked for is percent-encoded"),
    FORM(SPELLING, S, FORM_ANY, base64_decoded, "what was asked for is base64"),
    FORM(SPELLING, S, FORM_ANY, base64_encoded, "what is stored is base64"),
    FORM(SPELLING, S, FORM_ANY, as_moment, "the same moment, written in another way"),
    FORM(SPELLING, S | N, FORM_ANY | FORM_LIKE | FORM_SURE, moment_like, NULL),
    FORM(SPELLING, S, FORM_ANY, as_date,
         "the stored dates are written year-month-day, with two digits"),
    FORM(SPELLING, S, FORM_ANY, as_month, "the stored months have two digits"),
    FORM(SPELLING, S, FORM_ANY, as_uuid, NULL),
    FORM(SPELLING, S, FORM_ANY, as_host, "what is stored is the host alone"),
    FORM(SPELLING, S, FORM_ANY, joined_otherwise, NULL),
    FORM(SPELLING, B, FORM_ANY, base64_decoded,
         "the bytes are base64 themselves: they were encoded twice"),
    FORM(SPELLING, B, FORM_ANY, of_hex,
         "the bytes are the text of a hexadecimal number, not its value"),
    FORM(SPELLING, B, FORM_ANY, base64_encoded, "what is stored was encoded twice"),
    FORM(SPELLING, OTHER, FORM_ANY | FORM_LIKE | FORM_SURE, typed_like, NULL),
    FORM(PART, S, FORM_ANY, with_fewer_parts, NULL),
    FORM(PART, S, FORM_ANY | FORM_LIKE, with_parts_like, NULL),
    {FORM_SLIP, S, FORM_EQUAL | FORM_START | FORM_INSIDE, NULL, NULL, near_slips},
    {FORM_PIECE, S, FORM_EQUAL | FORM_START, NULL, NULL, near_pieces},
};

const size_t explain_form_count = COUNT(explain_form_rows);
