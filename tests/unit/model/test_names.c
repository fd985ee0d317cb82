#include "unit.h"

#include "model/names.h"
#include "model/schema.h"

static const struct {
    const char *const *names;
    int count;
} lists[] = {
    {names_key_kinds, KEY_RANGE + 1},
    {names_projections, PROJECT_KEYS_ONLY + 1},
    {names_distances, DISTANCE_EUCLIDEAN + 1},
    {names_search_kinds, 2},
    {names_statuses, STATUS_ACTIVE + 1},
    {names_changes, CHANGE_REPLICA + 1},
    {names_replication_modes, REPLICATION_OVERRIDES + 1},
    {names_consistencies, CONSISTENCY_STRONG + 1},
    {names_insights_modes, INSIGHTS_ALL_KEYS + 1},
    {names_destination_statuses, DESTINATION_UPDATING + 1},
    {names_precisions, PRECISION_MICROSECOND + 1},
    {names_views, VIEW_KEYS_ONLY + 1},
    {names_billing_modes, 2},
    {names_table_classes, 2},
    {names_sse_types, SSE_KMS + 1},
    {names_on_off, 2},
    {names_return_values, RETURN_UPDATED_NEW + 1},
    {names_capacity_details, DETAIL_NONE + 1},
    {names_selects, SELECT_UNSAID},
    {names_comparisons, COMPARISON_CONTAINS + 1},
    {names_update_actions, ACTION_DELETE + 1},
    {names_logical_operators, LOGICAL_AND + 1},
};

START_TEST(every_value_of_an_enum_has_its_word)
{
    int count = 0;

    for (; lists[_i].names[count]; count++)
        ck_assert_int_eq(names_find(lists[_i].names, span_of(lists[_i].names[count]), -1), count);
    ck_assert_int_eq(count, lists[_i].count);
}
END_TEST

START_TEST(other_words_are_not_found)
{
    ck_assert_int_eq(names_find(names_views, SPAN_LIT("new_image"), 7), 7);
    ck_assert_int_eq(names_find(names_views, SPAN_LIT("NEW_IMAGE "), -1), -1);
    ck_assert_int_eq(names_find(names_views, (struct span){NULL, 0}, -1), -1);
}
END_TEST

static const struct {
    const char *text;
    bool keeps;
} texts[] = {
    {"azAZ09_.-", true}, {"", false}, {"a b", false}, {"a/b", false}, {"\xc3\xa9", false},
};

START_TEST(names_keep_the_pattern)
{
    ck_assert_int_eq(names_match_pattern(span_of(texts[_i].text)), texts[_i].keeps);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, every_value_of_an_enum_has_its_word, 0, COUNT(lists));
    tcase_add_test(tc, other_words_are_not_found);
    tcase_add_loop_test(tc, names_keep_the_pattern, 0, COUNT(texts));
}

UNIT_TESTS(names, add_tests)
