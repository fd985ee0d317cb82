#include "unit.h"

#include "base/words.h"

static const struct {
    const char *words, *word;
    int at; /* -1: it is not among them */
} searches[] = {
    {"a b d z", "a", 0},  {"a b d z", "b", 2},  {"a b d z", "d", 4},  {"a b d z", "z", 6},
    {"a b d z", "c", -1}, {"a b d z", "A", -1}, {"a b d z", "~", -1}, {"a b d z", " ", -1},
    {"a b d z", "", -1},  {"one", "one", 0},    {"one", "two", -1},   {"one two", "two", 4},
    {"", "a", -1},        {"", "", -1},
};

START_TEST(a_word_is_found_where_it_is)
{
    struct span words = span_of(searches[_i].words);
    struct span found = words_find(words, span_of(searches[_i].word));

    ck_assert_int_eq(found.at ? (int)(found.at - words.at) : -1, searches[_i].at);
    ck_assert(!found.at || span_is(found, searches[_i].word));
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, a_word_is_found_where_it_is, 0, COUNT(searches));
}

UNIT_TESTS(words, add_tests)
