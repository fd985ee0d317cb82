#include "explain/explain_form.h"

#include "base/ascii.h"
#include "base/base64.h"
#include "base/fold.h"
#include "base/sigv4.h"
#include "base/utf8.h"
#include "explain/explain_moment.h"
#include "explain/explain_near.h"

struct forms {
    struct inquiry *q;
    struct span asked;
    struct form *out;
    size_t len;
};

static void add(struct forms *f, struct span value, const char *why)
{
    if (value.len && !span_equal(value, f->asked) && f->len < EXPLAIN_FORMS)
        f->out[f->len++] = (struct form){value, why};
}

/* --- other spellings -------------------------------------------------------------------------- */

struct span explain_form_changed(struct inquiry *q, struct span text, char from_low, char from_high,
                                 int shift)
{
    char *at = arena_text(q->arena, text);

    for (size_t i = 0; i < text.len; i++)
        if (at[i] >= from_low && at[i] <= from_high)
            at[i] = (char)(at[i] + shift);
    return (struct span){at, text.len};
}

static void add_spellings(struct forms *f)
{
    struct span bare = fold_trimmed(f->asked);
    struct span spellings[] = {
        bare,
        explain_form_changed(f->q, bare, 'A', 'Z', 'a' - 'A'),
        explain_form_changed(f->q, bare, 'a', 'z', 'A' - 'a'),
        explain_form_changed(f->q, bare, '_', '_', '-' - '_'),
        explain_form_changed(f->q, bare, '-', '-', '_' - '-'),
    };

    for (size_t i = 0; i < COUNT(spellings); i++)
        add(f, spellings[i], explain_near_words(f->asked, spellings[i]));
}

/* --- what is around it ------------------------------------------------------------------------ */

/* Without these at its ends; len 0 where they are not there. */
static struct span between(struct span text, const char *before, const char *after)
{
    size_t from = strlen(before), to = strlen(after);
    struct span end;

    if (text.len <= from + to || !span_starts_with(text, span_of(before)))
        return (struct span){"", 0};
    end = span_from(text, text.len - to);
    return span_is(end, after) ? (struct span){text.at + from, text.len - from - to}
                               : (struct span){"", 0};
}

static void add_bare(struct forms *f)
{
    static const char *const quotes[] = {"\"", "'", "`", "\\\""};
    struct buf plain = buf_in(f->q->arena);

    for (size_t i = 0; i < COUNT(quotes); i++)
        add(f, between(f->asked, quotes[i], quotes[i]),
            "the quotes are part of what was asked for");
    for (size_t i = 0; i < f->asked.len; i++)
        if (f->asked.at[i] != ' ')
            buf_add_char(&plain, f->asked.at[i]);
    add(f, between(buf_span(&plain), "{\"S\":\"", "\"}"),
        "what was asked for is typed twice, as JSON within a string");
}

/* --- dates ------------------------------------------------------------------------------------ */

struct date_parts {
    struct span at[3]; /* numbers */
    const char *after; /* what follows */
};

/* Three numbers with the same sign between them, at the beginning. */
static bool read_parts(struct span text, struct date_parts *out)
{
    char mark = '\0';

    for (size_t i = 0; i < COUNT(out->at); i++) {
        size_t len = 0;

        while (len < text.len && ascii_is_digit(text.at[len]))
            len++;
        if (!len || len > 4)
            return false;
        out->at[i] = (struct span){text.at, len};
        text = span_from(text, len);
        if (i == 2)
            break;
        if (!text.len || !span_has(SPAN_LIT("-/."), text.at[0]) || (mark && text.at[0] != mark))
            return false;
        mark = text.at[0];
        text = span_from(text, 1);
    }
    out->after = text.at;
    return true;
}

static int number(struct span digits)
{
    int n = 0;

    for (size_t i = 0; i < digits.len; i++)
        n = n * 10 + (digits.at[i] - '0');
    return n;
}

static void add_date(struct forms *f, const struct date_parts *p, size_t year, size_t month,
                     size_t day)
{
    struct span tail = {p->after, (size_t)(span_end(f->asked) - p->after)};
    struct buf date = buf_in(f->q->arena), all = buf_in(f->q->arena);

    if (p->at[year].len != 4 || p->at[month].len > 2 || p->at[day].len > 2 ||
        number(p->at[month]) < 1 || number(p->at[month]) > 12 || number(p->at[day]) < 1 ||
        number(p->at[day]) > 31)
        return;
    buf_add(&date, f->asked.at, (size_t)(p->at[0].at - f->asked.at));
    buf_printf(&date, "%.*s-%02d-%02d", SPAN_ARG(p->at[year]), number(p->at[month]),
               number(p->at[day]));
    buf_add_span(&all, buf_span(&date));
    buf_add_span(&all, tail);
    add(f, buf_span(&all), "the stored dates are written year-month-day, with two digits");
    if (tail.len && span_has(SPAN_LIT("T "), tail.at[0]))
        add(f, buf_span(&date), "the stored ones are dates without a time");
}

static void add_dates(struct forms *f)
{
    struct date_parts p;

    for (size_t i = 0; i < f->asked.len; i++) {
        if (!ascii_is_digit(f->asked.at[i]) || (i && ascii_is_digit(f->asked.at[i - 1])) ||
            !read_parts(span_from(f->asked, i), &p))
            continue;
        add_date(f, &p, 0, 1, 2);
        add_date(f, &p, 2, 1, 0);
        add_date(f, &p, 2, 0, 1);
        return;
    }
}

/* 2026-3 at the end for 2026-03. */
static void add_month(struct forms *f)
{
    struct span text = f->asked;
    struct buf out = buf_in(f->q->arena);
    size_t at = text.len;

    if (at < 6 || !ascii_is_digit(text.at[at - 1]) || text.at[at - 2] != '-')
        return;
    for (size_t i = at - 6; i < at - 2; i++)
        if (!ascii_is_digit(text.at[i]))
            return;
    buf_add(&out, text.at, at - 1);
    buf_add_char(&out, '0');
    buf_add_char(&out, text.at[at - 1]);
    add(f, buf_span(&out), "the stored months have two digits");
}

/* ORDER#* */
static void add_without_wildcard(struct forms *f)
{
    if (f->asked.len > 1 && strchr("*%", f->asked.at[f->asked.len - 1]))
        add(f, (struct span){f->asked.at, f->asked.len - 1},
            "its last sign is an ordinary one, wildcards do not exist");
}

static void add_moments(struct forms *f)
{
    struct span at[EXPLAIN_MOMENT_FORMS];
    size_t count = explain_moment_forms(f->q, f->asked, at);

    for (size_t i = 0; i < count; i++)
        add(f, at[i], "the same moment, written in another way");
}

/* --- base64 and hex --------------------------------------------------------------------------- */

#define SHORT ((size_t)8) /* texts that are base64 by chance */

static bool read_hex(struct inquiry *q, struct span text, struct span *out)
{
    char *bytes = arena_alloc(q->arena, text.len / 2 + 1);

    for (size_t i = 0; i < text.len; i++) {
        int digit = ascii_hex(text.at[i]);

        if (digit < 0)
            return false;
        bytes[i / 2] = (char)((unsigned)bytes[i / 2] << 4 | (unsigned)digit);
    }
    *out = (struct span){bytes, text.len / 2};
    return text.len % 2 == 0;
}

size_t explain_form_of_text(struct inquiry *q, struct span asked, struct form out[EXPLAIN_FORMS])
{
    struct forms f = {.q = q, .asked = asked, .out = out};
    struct span decoded;

    add_spellings(&f);
    add_bare(&f);
    add(&f, sigv4_decode(q->arena, fold_trimmed(asked)), "what was asked for is percent-encoded");
    if (asked.len >= SHORT && base64_decode(q->arena, asked, &decoded) && utf8_valid(decoded))
        add(&f, decoded, "what was asked for is base64");
    add_without_wildcard(&f);
    add_moments(&f);
    add_dates(&f);
    add_month(&f);
    return f.len;
}

size_t explain_form_of_bytes(struct inquiry *q, struct span asked, struct form out[EXPLAIN_FORMS])
{
    struct forms f = {.q = q, .asked = asked, .out = out};
    struct buf encoded = buf_in(q->arena);
    struct span decoded;

    if (base64_decode(q->arena, asked, &decoded))
        add(&f, decoded, "the bytes are base64 themselves: they were encoded twice");
    if (read_hex(q, asked, &decoded))
        add(&f, decoded, "the bytes are the text of a hexadecimal number, not its value");
    base64_encode(&encoded, asked);
    add(&f, buf_span(&encoded), "what is stored was encoded twice");
    return f.len;
}
