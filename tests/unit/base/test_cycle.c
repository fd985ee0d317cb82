#include "unit.h"

#include "base/cycle.h"

/* Members 0, 1, … `lead` + `round` - 1, and from then on the last `round` of them again. */
static size_t members_until_closed(size_t lead, size_t round, size_t most)
{
    struct cycle c = {0};

    for (size_t i = 0; i < most; i++) {
        size_t member = i < lead ? i : lead + (i - lead) % round;

        if (cycle_closes(&c, span_of(arena_printf(arena, "%zu", member))))
            return i + 1;
    }
    return 0;
}

START_TEST(finds_every_circle_but_none_too_early)
{
    for (size_t lead = 0; lead < 20; lead++)
        for (size_t round = 1; round <= 20; round++) {
            size_t found = members_until_closed(lead, round, 1000);

            ck_assert_uint_gt(found, lead + round);
            ck_assert_uint_le(found, 4 * (lead + round) + 1);
        }
}
END_TEST

START_TEST(finds_none_where_there_is_none)
{
    ck_assert_uint_eq(members_until_closed(100000, 1, 100000), 0);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, finds_every_circle_but_none_too_early);
    tcase_add_test(tc, finds_none_where_there_is_none);
}

UNIT_TESTS(cycle, add_tests)
