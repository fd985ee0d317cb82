#include "base/allowance.h"
#include "unit.h"

static const struct allowance_rate rate = {.per_second = 10, .most = 3000};

/* What happens to an allowance in turn: time passes, then an amount is taken. */
static const struct {
    const char *about;
    bool full;
    int64_t after_ms;
    double taken;
    int64_t later_ms;
    double level;
} rows[] = {
    {"it begins with nothing", false, 0, 0, 0, 0},
    {"it begins full", true, 0, 0, 0, 3000},
    {"it comes back by the millisecond", false, 1, 0, 0, 0.01},
    {"it comes back by the second", false, 1000, 0, 0, 10},
    {"what is not used is kept", false, 299000, 0, 0, 2990},
    {"no more than the most is kept", false, 86400000, 0, 0, 3000},
    {"what is taken is gone while the clock stands", true, 0, 100, 0, 2900},
    {"and comes back", true, 0, 100, 5000, 2950},
    {"a debt is paid off first", false, 0, 100, 5000, -50},
    {"and then there is something again", false, 0, 100, 11000, 10},
};

START_TEST(it_holds_what_came_back)
{
    struct allowance a = allowance_begin(&rate, rows[_i].full, 1000);

    allowance_refill(&a, &rate, 1000 + rows[_i].after_ms);
    a.level -= rows[_i].taken;
    allowance_refill(&a, &rate, 1000 + rows[_i].after_ms + rows[_i].later_ms);
    ck_assert_msg(a.level > rows[_i].level - 1e-9 && a.level < rows[_i].level + 1e-9, "%s: %f",
                  rows[_i].about, a.level);
}
END_TEST

START_TEST(small_steps_come_to_the_same)
{
    struct allowance a = allowance_begin(&rate, false, 0);

    for (int64_t ms = 1; ms <= 1000; ms++)
        allowance_refill(&a, &rate, ms);
    ck_assert(allowance_has(&a, &rate, 10));
    ck_assert(!allowance_has(&a, &rate, 10.01));
}
END_TEST

START_TEST(nothing_comes_back_when_time_goes_backwards)
{
    struct allowance a = allowance_begin(&rate, false, 5000);

    allowance_refill(&a, &rate, 1000);
    ck_assert(!allowance_is_open(&a));
    allowance_refill(&a, &rate, 2000);
    ck_assert(allowance_has(&a, &rate, 10));
}
END_TEST

START_TEST(a_lower_most_takes_effect_at_once)
{
    const struct allowance_rate lower = {.per_second = 1, .most = 300};
    struct allowance a = allowance_begin(&rate, true, 0);

    allowance_refill(&a, &lower, 0);
    ck_assert(allowance_has(&a, &lower, 300));
    a.level -= 1;
    ck_assert(!allowance_has(&a, &lower, 300));
}
END_TEST

START_TEST(a_full_one_gives_any_amount)
{
    struct allowance a = allowance_begin(&rate, true, 0);

    ck_assert(allowance_has(&a, &rate, 1e6));
    a.level -= 1;
    ck_assert(!allowance_has(&a, &rate, 1e6));
    ck_assert(allowance_is_open(&a));
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, it_holds_what_came_back, 0, COUNT(rows));
    tcase_add_test(tc, small_steps_come_to_the_same);
    tcase_add_test(tc, nothing_comes_back_when_time_goes_backwards);
    tcase_add_test(tc, a_lower_most_takes_effect_at_once);
    tcase_add_test(tc, a_full_one_gives_any_amount);
}

UNIT_TESTS(allowance, add_tests)
