/* Texts that look the same. */
#include "unit.h"

#include "base/fold.h"

static const struct {
    const char *a, *b;
    bool same;
    unsigned difference;
} pairs[] = {
    {"a", "a", true, 0},
    {"", "", true, 0},
    {"", " ", true, FOLD_BLANK},
    {"a", "b", false, 0},
    {"a", "ab", false, 0},
    {"INDEX#", "index#", true, FOLD_CASE},
    {"in_progress", "IN-PROGRESS", true, FOLD_CASE | FOLD_LINE},
    {" a\n", "a", true, FOLD_BLANK},
    {"a b", "ab ", true, FOLD_BLANK},
    {"a\u00a0b", "ab", true, FOLD_HIDDEN_BLANK},
    {"a\u200b", "a", true, FOLD_HIDDEN_BLANK},
    {"\ufeff"
     "a",
     "a", true, FOLD_HIDDEN_BLANK},
    {"2026\u201301", "2026-01", true, FOLD_LONG_DASH},
    {"2026\u201301", "2026_01", true, FOLD_LONG_DASH | FOLD_LINE},
    {"O\u2019Neil", "O'Neil", true, FOLD_CURLY_QUOTE},
    {"\u201cx\u201d", "\"x\"", true, FOLD_CURLY_QUOTE},
    {"Zo\u00eb", "Zoe\u0308", true, FOLD_ACCENT_FORM},
    {"Zoe\u0308", "Zo\u00eb", true, FOLD_ACCENT_FORM},
    {"Zoe\u0308!", "Zo\u00eb!", true, FOLD_ACCENT_FORM},
    {"Zo\u00eb", "Zoe", true, FOLD_ACCENT},
    {"Zoe\u0308", "Zoe", true, FOLD_ACCENT},
    {"\u00e9", "\u00e8", true, FOLD_ACCENT},
    {"\u00c9", "\u00e9", true, FOLD_CASE},
    {"\u017b", "z", true, FOLD_ACCENT},
    {"\u00df", "s", false, 0},
    {"\u00d7", "x", false, 0},
    {"w\u0435b", "web", true, FOLD_ALPHABET},
    {"\u0391LPHA", "alpha", true, FOLD_ALPHABET | FOLD_CASE},
    {"\uff57\uff45\uff42\uff03", "web#", true, FOLD_ALPHABET},
    {"\u0416", "X", false, 0},
    {"\u4e2d", "\u4e2d", true, 0},
    {"\U0001F600", "\U0001F600", true, 0},
    {"\U0001F600", "\U0001F601", false, 0},
    {"\xc3", "\xc3", true, 0}, /* no UTF-8 */
    {"\xc3", "a", false, 0},
    {"\xe2\x80", "-", false, 0},
};

START_TEST(compares_as_eyes_do)
{
    unsigned difference = 0;

    ck_assert(fold_compare(span_of(pairs[_i].a), span_of(pairs[_i].b), &difference) ==
              pairs[_i].same);
    if (pairs[_i].same)
        ck_assert_uint_eq(difference, pairs[_i].difference);
    ck_assert(fold_compare(span_of(pairs[_i].b), span_of(pairs[_i].a), &difference) ==
              pairs[_i].same);
}
END_TEST

static const struct {
    const char *text, *prefix;
    bool begins;
    size_t len;
} starts[] = {
    {"ORDER#2026-01-11", "order#2026", true, 10},
    {"ORDER#2026-01-11", "ORDER#2026\u201301", true, 13},
    {"Zo\u00eb#1", "Zoe", true, 4},
    {"Zo\u00eb#1", "Zoe#2", false, 0},
    {"a", "", true, 0},
    {"a", "ab", false, 0},
};

START_TEST(finds_where_a_beginning_ends)
{
    size_t len = 0;

    ck_assert(fold_begins(span_of(starts[_i].text), span_of(starts[_i].prefix), &len) ==
              starts[_i].begins);
    ck_assert_uint_eq(len, starts[_i].len);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, compares_as_eyes_do, 0, COUNT(pairs));
    tcase_add_loop_test(tc, finds_where_a_beginning_ends, 0, COUNT(starts));
}

UNIT_TESTS(fold, add_tests)
