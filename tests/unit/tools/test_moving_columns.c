#include "unit.h"

#include "moving/moving_columns.h"

/* A field of a CSV file, and the type that its column gets. */
static const struct {
    const char *field;
    enum attr_type type;
} fields[] = {
    {"0", ATTR_N},
    {"9", ATTR_N},
    {"10", ATTR_N},
    {"99", ATTR_N},
    {"-9", ATTR_N},
    {"0.5", ATTR_N},
    {"9.25", ATTR_N},
    {"-0", ATTR_N},
    {"007", ATTR_S},
    {"00", ATTR_S},
    {"+1", ATTR_S},
    {".5", ATTR_S},
    {"-", ATTR_S},
    {"9a", ATTR_S},
    {"a9", ATTR_S},
    {":", ATTR_S},
    {"9 ", ATTR_S},
    {"1.2.3", ATTR_S},
    {"99999999999999999999999999999999999999", ATTR_N},
    {"999999999999999999999999999999999999999", ATTR_S}, /* a digit too many */
};

START_TEST(a_field_that_can_only_be_a_number_is_one)
{
    const char *text = arena_printf(arena, "name\n%s\n", fields[_i].field);
    struct transfer_column *columns;

    ck_assert_uint_eq(
        moving_columns_keys(arena, &transfer_format_csv, span_of(text), true, &columns), 1);
    ck_assert_span_eq(columns[0].name, "name");
    ck_assert_msg(columns[0].type == fields[_i].type, "%s", fields[_i].field);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, a_field_that_can_only_be_a_number_is_one, 0, COUNT(fields));
}

UNIT_TESTS(moving_columns, add_tests)
