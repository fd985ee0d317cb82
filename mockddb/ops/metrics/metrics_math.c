#include "ops/metrics/metrics_math.h"

#include <assert.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "model/limits.h"

const struct metrics_math_fault *metrics_math_fault(struct arena *a, bool unknown, const char *fmt,
                                                    ...)
{
    struct metrics_math_fault *fault = arena_alloc(a, sizeof *fault);
    va_list args;

    va_start(args, fmt);
    *fault = (struct metrics_math_fault){unknown, arena_vprintf(a, fmt, args)};
    va_end(args);
    return fault;
}

#define NUMBER_LEN 64

/* Operators by precedence, lowest first. read_power reads '^' and the sign, which bind tighter. */
static const char *const operators[][8] = {
    {"OR", "||", NULL}, {"AND", "&&", NULL}, {"==", "!=", "<=", ">=", "<", ">", NULL},
    {"+", "-", NULL},   {"*", "/", NULL},
};

struct math_reading {
    struct arena *arena;
    struct span all, rest;
    const struct metrics_math *ids;
    unsigned depth;
};

static const struct metrics_math_fault *read_level(struct math_reading *r, size_t level,
                                                   struct metrics_math **out);

static const struct metrics_math_fault *read_any(struct math_reading *r, struct metrics_math **out)
{
    return read_level(r, 0, out);
}

static void skip_blanks(struct math_reading *r)
{
    while (r->rest.len && ascii_is_space(r->rest.at[0]))
        r->rest = span_from(r->rest, 1);
}

static const struct metrics_math_fault *unexpected_text(const struct math_reading *r)
{
    if (!r->rest.len)
        return metrics_math_fault(r->arena, false, "it ends too early");
    return metrics_math_fault(r->arena, false, "unexpected '%c' at position %zu", r->rest.at[0],
                              r->all.len - r->rest.len + 1);
}

static struct metrics_math *new_node(struct math_reading *r, enum metrics_math_kind kind,
                                     struct span text)
{
    struct metrics_math *n = arena_alloc(r->arena, sizeof *n);

    *n = (struct metrics_math){.kind = kind, .text = text};
    return n;
}

static struct span cut_text(struct math_reading *r, size_t len)
{
    struct span text = {r->rest.at, len};

    r->rest = span_from(r->rest, len);
    skip_blanks(r);
    return text;
}

static bool accept_char(struct math_reading *r, char c)
{
    if (!r->rest.len || r->rest.at[0] != c)
        return false;
    cut_text(r, 1);
    return true;
}

static size_t word_len(struct span text)
{
    size_t len = 0;

    while (len < text.len && ascii_is_word(text.at[len]))
        len++;
    return len;
}

/* --- operands --------------------------------------------------------------------------------- */

/* Reads expressions, separated by commas, up to the closing bracket. */
static const struct metrics_math_fault *read_arguments(struct math_reading *r, char closing,
                                                       struct metrics_math *to)
{
    struct metrics_math **last = &to->first;

    if (accept_char(r, closing))
        return NULL;
    do {
        const struct metrics_math_fault *fault = read_any(r, last);

        if (fault)
            return fault;
        last = &(*last)->next;
    } while (accept_char(r, ','));
    return accept_char(r, closing) ? NULL : unexpected_text(r);
}

/* Like 5, 0.5 or 1e-36. */
static const struct metrics_math_fault *read_number(struct math_reading *r,
                                                    struct metrics_math **out)
{
    char text[NUMBER_LEN + 1], *end;
    size_t len = r->rest.len < NUMBER_LEN ? r->rest.len : NUMBER_LEN;

    memcpy(text, r->rest.at, len);
    text[len] = '\0';
    len = strspn(text, "0123456789.");
    if (text[len] == 'e' || text[len] == 'E') {
        size_t sign = text[len + 1] == '-' || text[len + 1] == '+';
        size_t digits = strspn(text + len + 1 + sign, "0123456789");

        len += digits ? 1 + sign + digits : 0;
    }
    text[len] = '\0';
    *out = new_node(r, MATH_NUMBER, (struct span){r->rest.at, len});
    (*out)->number = strtod(text, &end);
    if (end != text + len)
        return unexpected_text(r);
    cut_text(r, len);
    return NULL;
}

static const struct metrics_math_fault *read_text(struct math_reading *r, struct metrics_math **out)
{
    struct span rest = span_from(r->rest, 1);
    const char *end = span_find(rest, r->rest.at[0]);
    size_t len;

    if (!end)
        return metrics_math_fault(r->arena, false, "a text is not closed");
    len = (size_t)(end - rest.at);
    *out = new_node(r, MATH_TEXT, (struct span){rest.at, len});
    cut_text(r, len + 2);
    return NULL;
}

/* Ids begin with a small letter, functions and words with a capital. */
static const struct metrics_math_fault *read_word(struct math_reading *r, struct metrics_math **out)
{
    struct span word = cut_text(r, word_len(r->rest));
    bool is_id = word.at[0] >= 'a' && word.at[0] <= 'z';

    if (accept_char(r, '(')) {
        if (is_id)
            return metrics_math_fault(
                r->arena, false, "functions are written in capital letters: %.*s", SPAN_ARG(word));
        *out = new_node(r, MATH_CALL, word);
        return read_arguments(r, ')', *out);
    }
    *out = new_node(r, is_id ? MATH_ID : MATH_WORD, word);
    if (is_id) {
        (*out)->earlier_id = r->ids;
        r->ids = *out;
    }
    return NULL;
}

static const struct metrics_math_fault *read_primary(struct math_reading *r,
                                                     struct metrics_math **out)
{
    char c = r->rest.len ? r->rest.at[0] : '\0';

    if (accept_char(r, '(')) {
        const struct metrics_math_fault *fault = read_any(r, out);

        return fault ? fault : accept_char(r, ')') ? NULL : unexpected_text(r);
    }
    if (accept_char(r, '[')) {
        *out = new_node(r, MATH_LIST, (struct span){"[", 1});
        return read_arguments(r, ']', *out);
    }
    if (ascii_is_letter(c))
        return read_word(r, out);
    if (ascii_is_digit(c) || c == '.')
        return read_number(r, out);
    return c == '"' || c == '\'' ? read_text(r, out) : unexpected_text(r);
}

/* --- operators -------------------------------------------------------------------------------- */

static struct metrics_math *new_binary(struct math_reading *r, struct span text,
                                       struct metrics_math *left)
{
    struct metrics_math *n = new_node(r, MATH_BINARY, text);

    assert(left);
    n->first = left;
    return n;
}

/* -a^b is -(a^b), a^b^c is a^(b^c). */
static const struct metrics_math_fault *read_power(struct math_reading *r,
                                                   struct metrics_math **out)
{
    const struct metrics_math_fault *fault;

    if (++r->depth > LIMIT_MATH_DEPTH)
        return metrics_math_fault(r->arena, true, "it is nested too deeply");
    if (r->rest.len && r->rest.at[0] == '-') {
        *out = new_node(r, MATH_NEGATED, cut_text(r, 1));
        fault = read_power(r, &(*out)->first);
    } else if (!(fault = read_primary(r, out)) && r->rest.len && r->rest.at[0] == '^') {
        *out = new_binary(r, cut_text(r, 1), *out);
        fault = read_power(r, &(*out)->first->next);
    }
    r->depth--;
    return fault;
}

/* The next operator, if it has this level; else empty. */
static struct span find_operator(const struct math_reading *r, size_t level)
{
    for (size_t i = 0; operators[level][i]; i++) {
        struct span one = span_of(operators[level][i]);

        if (span_starts_with(r->rest, one) &&
            (!ascii_is_letter(one.at[0]) || word_len(r->rest) == one.len))
            return one;
    }
    return (struct span){"", 0};
}

static const struct metrics_math_fault *read_level(struct math_reading *r, size_t level,
                                                   struct metrics_math **out)
{
    const struct metrics_math_fault *fault;
    struct span found;

    if (level == COUNT(operators))
        return read_power(r, out);
    if ((fault = read_level(r, level + 1, out)))
        return fault;
    while ((found = find_operator(r, level)).len) {
        *out = new_binary(r, cut_text(r, found.len), *out);
        if ((fault = read_level(r, level + 1, &(*out)->first->next)))
            return fault;
    }
    return NULL;
}

const struct metrics_math_fault *metrics_math_read(struct arena *a, struct span text,
                                                   struct metrics_math **out,
                                                   const struct metrics_math **ids)
{
    struct math_reading r = {.arena = a, .all = text, .rest = text};
    const struct metrics_math_fault *fault;

    skip_blanks(&r);
    fault = read_any(&r, out);
    if (!fault && r.rest.len)
        fault = unexpected_text(&r);
    *ids = r.ids;
    return fault;
}
