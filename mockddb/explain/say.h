/* say.h: sentences from a text and its operands. Each % of the text is the next operand, in the
 * words of its type: "% has no index %" of a table and a name.
 *
 *   struct span, text     as they are; say_quoted: "in quotes"
 *   attribute values      "text", 12, …
 *   size_t, int64_t, char in digits; the character
 *   double                of capacity units: 0.5, 1234.5
 *   enum attr_type        its code: S, N; say_type: "a string"
 *   tables, indexes       their name; say_place: "prod-Jobs.GSI"
 *   paths, conditions     a.b[1], a = :b
 *   clauses of a key      pk "a", score after 5
 *   keys of a table       pk (S) and sk (S)
 *   items                 pk "a" and sk 5
 *
 * There are up to nine operands, borrowed until the sentence is made; %% is two of them. A %
 * without an operand is text. A constant of an enumeration is an int to the compiler, and so a
 * character: say_code(ATTR_S). */
#pragma once

#include "explain/inquiry.h"

#include <assert.h>

enum word_kind {
    WORD_END,
    WORD_SPAN,
    WORD_QUOTED,
    WORD_NUMBER,
    WORD_UNITS,
    WORD_CHAR,
    WORD_TYPE,
    WORD_TYPE_NAME,
    WORD_VALUE,
    WORD_PATH,
    WORD_CONDITION,
    WORD_CLAUSE,
    WORD_KEYS,
    WORD_ITEM,
    WORD_PLACE,
    WORD_COUNT,
    WORD_NAMES,
    WORD_VALUES
};

struct word {
    enum word_kind kind;
    struct span text;
    const void *at, *beside;
    size_t count; /* the number, or how many are at `at` */
    double units;
    bool more; /* of values: there are others */
};

/* --- operands --------------------------------------------------------------------------------- */

#define SAY_OF(name, type, word_kind, member)                   \
    static inline struct word name(type x)                      \
    {                                                           \
        return (struct word){.kind = (word_kind), .member = x}; \
    }
SAY_OF(say_span, struct span, WORD_SPAN, text)
SAY_OF(say_quoted, struct span, WORD_QUOTED, text)
SAY_OF(say_units, double, WORD_UNITS, units)
SAY_OF(say_number, size_t, WORD_NUMBER, count)
SAY_OF(say_code, enum attr_type, WORD_TYPE, count)
SAY_OF(say_type, enum attr_type, WORD_TYPE_NAME, count)
SAY_OF(say_value, const struct attr *, WORD_VALUE, at)
SAY_OF(say_path, const struct path *, WORD_PATH, at)
SAY_OF(say_condition, const struct expr_cond *, WORD_CONDITION, at)
SAY_OF(say_clause, const struct expr_key_clause *, WORD_CLAUSE, at)
SAY_OF(say_keys, const struct key_schema *, WORD_KEYS, at)
SAY_OF(say_item, const struct item *, WORD_ITEM, at)
#undef SAY_OF

static inline struct word say_char(int c)
{
    return (struct word){.kind = WORD_CHAR, .count = (size_t)c};
}

static inline struct word say_integer(int64_t n)
{
    return say_number((size_t)n);
}

static inline struct word say_words(const char *text)
{
    return say_span(span_of(text));
}

static inline struct word say_same(struct word w)
{
    return w;
}

static inline struct word say_table(const struct table *t)
{
    return say_span(t->name);
}

static inline struct word say_index(const struct index *ix)
{
    assert(ix);
    return say_span(ix->name);
}

/* ix NULL: the table itself. */
static inline struct word say_place(const struct table *t, const struct index *ix)
{
    return (struct word){.kind = WORD_PLACE, .at = t, .beside = ix};
}

/* "1 item", "2 items" */
static inline struct word say_count(size_t count, const char *word)
{
    return (struct word){.kind = WORD_COUNT, .at = word, .count = count};
}

/* "a, b and c" */
static inline struct word say_names(const struct span *names, size_t count)
{
    return (struct word){.kind = WORD_NAMES, .at = names, .count = count};
}

/* "a", "b" or "c" with `last` before the last one; with `more` behind them "a", "b", … */
static inline struct word say_values(const struct attr *values, size_t count, const char *last,
                                     bool more)
{
    return (struct word){
        .kind = WORD_VALUES, .at = values, .count = count, .beside = last, .more = more};
}

/* --- sentences -------------------------------------------------------------------------------- */

/* clang-format off */
#define SAY_WORD(x) _Generic((x), struct word: say_same, struct span: say_span,                    \
    char *: say_words, const char *: say_words, size_t: say_number, int64_t: say_integer,          \
    char: say_char, int: say_char, double: say_units, unsigned: say_code,                          \
    struct attr *: say_value, const struct attr *: say_value,                                      \
    struct path *: say_path, const struct path *: say_path,                                        \
    struct expr_cond *: say_condition, const struct expr_cond *: say_condition,                    \
    struct expr_key_clause *: say_clause, const struct expr_key_clause *: say_clause,              \
    const struct key_schema *: say_keys, struct item *: say_item, const struct item *: say_item,   \
    const struct table *: say_table, const struct index *: say_index)(x)
#define SAY_1(x)      SAY_WORD(x)
#define SAY_2(x, ...) SAY_WORD(x), SAY_1(__VA_ARGS__)
#define SAY_3(x, ...) SAY_WORD(x), SAY_2(__VA_ARGS__)
#define SAY_4(x, ...) SAY_WORD(x), SAY_3(__VA_ARGS__)
#define SAY_5(x, ...) SAY_WORD(x), SAY_4(__VA_ARGS__)
#define SAY_6(x, ...) SAY_WORD(x), SAY_5(__VA_ARGS__)
#define SAY_7(x, ...) SAY_WORD(x), SAY_6(__VA_ARGS__)
#define SAY_8(x, ...) SAY_WORD(x), SAY_7(__VA_ARGS__)
#define SAY_9(x, ...) SAY_WORD(x), SAY_8(__VA_ARGS__)
#define SAY_10(x, ...) SAY_WORD(x), SAY_9(__VA_ARGS__)
#define SAY_PICK(a, b, c, d, e, f, g, h, i, j, pick, ...) pick
/* The text and its operands, as a list. */
#define SAY_LIST(...) ((const struct word[]){SAY_PICK(__VA_ARGS__, SAY_10, SAY_9, SAY_8, SAY_7,    \
    SAY_6, SAY_5, SAY_4, SAY_3, SAY_2, SAY_1, )(__VA_ARGS__), {.kind = WORD_END}})
/* clang-format on */

/* The reason, in one line that is understood by itself; the first one counts. */
#define say_why(q, ...) say_why_of((q), SAY_LIST(__VA_ARGS__))
/* A line below the reason. */
#define say_line(q, ...) say_line_of((q), SAY_LIST(__VA_ARGS__))
/* A hint or a note. */
#define say_hint(q, weight, name, ...) say_hint_of((q), (weight), (name), SAY_LIST(__VA_ARGS__))
/* A text for another sentence; as a span. */
#define say_text(q, ...)      say_text_of((q)->arena, SAY_LIST(__VA_ARGS__))
#define say_text_span(q, ...) span_of(say_text(q, __VA_ARGS__))
/* To the end of a text. */
#define say_add(out, ...) say_add_of((out), SAY_LIST(__VA_ARGS__))

void say_why_of(struct inquiry *q, const struct word *words);
void say_line_of(struct inquiry *q, const struct word *words);
struct hint *say_hint_of(struct inquiry *q, enum advice weight, const char *name,
                         const struct word *words);
const char *say_text_of(struct arena *a, const struct word *words);
void say_add_of(struct buf *out, const struct word *words);

/* A line that marks `count` characters of the line before it, behind the first `from`. */
void say_marks(struct inquiry *q, size_t from, size_t count);

/* `text` behind `before`; "" of NULL and of "". */
const char *say_behind(struct inquiry *q, const char *before, const char *text);
