#include "unit.h"

#include "moving/moving_tables.h"

/* What --key takes. */
static const struct {
    const char *key;
    bool is_taken;
} keys[] = {
    {"pk:S", true},      {"p:N", true},      {"a:b:B", true},
    {"pk:S,sk:N", true}, {"", false},        {"S", false},
    {":S", false},       {"pk", false},      {"pk:", false},
    {"pk:BOOL", false},  {"pk:L", false},    {"pk:X", false},
    {"pk:S,", false},    {"pk:S,:N", false}, {"pk:S,sk:N,x:S", false},
};

START_TEST(a_key_has_names_and_types)
{
    const char *problem = moving_tables_set_key(moving_tables_new(arena, NULL), keys[_i].key);

    if (keys[_i].is_taken)
        ck_assert_ptr_null(problem);
    else
        ck_assert_str_eq(problem,
                         arena_printf(arena,
                                      "--key %s: expected NAME:TYPE or NAME:TYPE,NAME:TYPE with a "
                                      "type of S, N or B",
                                      keys[_i].key));
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, a_key_has_names_and_types, 0, COUNT(keys));
}

UNIT_TESTS(moving_tables, add_tests)
