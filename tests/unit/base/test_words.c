#include "unit.h"

#include "base/words.h"

static const struct {
    const char *words, *word;
    int at; /* -1: it is not among them */
} searches[] = {
    {"a ab b cd z", "a", 0},
    {"a ab b cd z", "ab", 2},
    {"a ab b cd z", "b", 5},
    {"a ab b cd z", "cd", 7},
    {"a ab b cd z", "z", 10},
    {"a ab b cd z", "c", -1},
    {"a ab b cd z", "cde", -1},
    {"a ab b cd z", "", -1},
    {"a ab b cd z", "b cd", -1},
    {"a ab b cd z", " ", -1},
    {"a ab b cd z", "A", -1},
    {"a ab b cd z", "zz", -1},
    {"one", "one", 0},
    {"one", "on", -1},
    {"", "a", -1},
    {"a long_one z", "long_one", 2},
    {"a long_one z", "z", 11},
    {"", "", -1},
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
