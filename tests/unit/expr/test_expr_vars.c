/* The maps of placeholders: their keys, and entries that nothing uses. */
#include "unit_expr.h"

#define TOO_LONG \
    " contains invalid key: The expression attribute map contains a key that is too long;"

static const struct {
    const char *first; /* of the key */
    const char *more;  /* repeated … */
    size_t count;      /* … this many times */
    const char *message;
} keys[] = {
    {"#a", "", 0, NULL},
    {"#", "0_Z", 2, NULL},
    {"#", "a", 254, NULL},
    {"a", "", 0, "ExpressionAttributeNames contains invalid key: Syntax error; key: \"a\""},
    {"#", "", 0, "ExpressionAttributeNames contains invalid key: Syntax error; key: \"#\""},
    {"#a-b", "", 0, "ExpressionAttributeNames contains invalid key: Syntax error; key: \"#a-b\""},
    {"", "", 0, "ExpressionAttributeNames contains invalid key: Syntax error; key: \"\""},
    {":a", "", 0, "ExpressionAttributeNames contains invalid key: Syntax error; key: \":a\""},
    {"#", "a", 255, "ExpressionAttributeNames" TOO_LONG " size of key: 256"},
    {"#", "\xc3\xa9", 128, "ExpressionAttributeNames" TOO_LONG " size of key: 257"},
    {"a", "a", 255, "ExpressionAttributeNames" TOO_LONG " size of key: 256"},
};

static void check_message(const struct error *e, const char *message)
{
    if (!message) {
        ck_assert_ptr_null(e);
        return;
    }
    ck_assert_ptr_nonnull(e);
    ck_assert(!e->bare);
    ck_assert_span_eq(e->message, message);
}

START_TEST(checks_keys_of_names)
{
    struct expr_name names[] = {{SPAN_LIT("#ok"), SPAN_LIT("x"), false},
                                {{NULL, 0}, SPAN_LIT("x"), false}};
    struct expr_vars vars = {.names = names, .name_count = 2};

    names[1].key = span_of(
        arena_printf(arena, "%s%s", keys[_i].first, unit_repeat(keys[_i].more, keys[_i].count)));
    check_message(expr_check_names(arena, &vars), keys[_i].message);
}
END_TEST

START_TEST(refuses_empty_names)
{
    struct expr_name names[] = {{SPAN_LIT("#a"), SPAN_LIT(""), false}};
    struct expr_vars vars = {.names = names, .name_count = 1};

    check_message(expr_check_names(arena, &vars), "ExpressionAttributeNames contains invalid "
                                                  "value: Empty attribute name for key #a");
}
END_TEST

START_TEST(checks_keys_of_values)
{
    struct expr_value value = {.key = SPAN_LIT(":a-b")};
    struct expr_vars vars = {.values = &value, .value_count = 1};

    check_message(expr_check_value_keys(arena, &vars),
                  "ExpressionAttributeValues contains invalid key: Syntax error; key: \":a-b\"");
    value.key = SPAN_LIT("#a");
    check_message(expr_check_value_keys(arena, &vars),
                  "ExpressionAttributeValues contains invalid key: Syntax error; key: \"#a\"");
    value.key = span_of(arena_printf(arena, ":%s", unit_repeat("a", 255)));
    check_message(expr_check_value_keys(arena, &vars), "ExpressionAttributeValues" TOO_LONG);
    value.key.len--;
    check_message(expr_check_value_keys(arena, &vars), NULL);
}
END_TEST

static const struct {
    const char *parameter, *text, *vars, *message;
} uses[] = {
    {"Condition", "a = :v", "{\":v\":{\"S\":\"\"}}", NULL},
    {"Condition", "a = :v AND #a <> :v AND #a.#b > :v",
     "{\":v\":{\"S\":\"\"},\"#a\":{\"S\":\"x\"},\"#b\":{\"S\":\"y\"}}", NULL},
    {"Condition", "a = :v", "{\":v\":{\"S\":\"\"},\":w\":{\"S\":\"\"}}",
     "ExpressionAttributeValues unused in expressions: keys: {:w}"},
    {"Condition", "a = b", "{\":w\":{\"S\":\"\"},\":v\":{\"S\":\"\"},\":V\":{\"S\":\"\"}}",
     "ExpressionAttributeValues unused in expressions: keys: {:V, :v, :w}"},
    {"Condition", "a = b", "{\":w\":{\"S\":\"\"},\"#b\":{\"S\":\"b\"},\"#a\":{\"S\":\"a\"}}",
     "ExpressionAttributeNames unused in expressions: keys: {#a, #b}"},
    {"Update", "SET #a = if_not_exists(#b, :v) REMOVE #c[0] ADD d :w",
     "{\"#a\":{\"S\":\"a\"},\"#b\":{\"S\":\"b\"},\"#c\":{\"S\":\"c\"},\":v\":{\"N\":\"1\"},"
     "\":w\":{\"N\":\"1\"}}",
     NULL},
    {"Projection", "#a, b.#c", "{\"#a\":{\"S\":\"a\"},\"#c\":{\"S\":\"c\"}}", NULL},
    {"KeyCondition", "#a = :v", "{\"#a\":{\"S\":\"a\"},\":v\":{\"S\":\"\"}}", NULL},
};

START_TEST(names_what_nothing_uses)
{
    struct expr_vars vars = unit_vars(uses[_i].vars);
    const char *message = uses[_i].message;

    ck_assert_ptr_null(unit_read(uses[_i].parameter, uses[_i].text, &vars));
    if (message)
        message = arena_printf(arena, "Value provided in %s", message);
    check_message(expr_check_unused(arena, &vars), message);
}
END_TEST

START_TEST(knows_reserved_words_in_any_case)
{
    static const char *const reserved[] = {"ABORT",   "abort",  "Zone",           "SIZE",
                                           "CONVERT", "status", "data",           "TIMESTAMP",
                                           "ttl",     "or",     "LOCALTIMESTAMP", "DETERMINISTIC"};
    static const char *const free_words[] = {"",
                                             "a",
                                             "aborted",
                                             "pk",
                                             "LOCALTIMESTAMPS",
                                             "zz",
                                             "begins_with",
                                             "A_very_long_word_that_is_free"};

    for (size_t i = 0; i < COUNT(reserved); i++)
        ck_assert_msg(expr_is_reserved(span_of(reserved[i])), "%s", reserved[i]);
    for (size_t i = 0; i < COUNT(free_words); i++)
        ck_assert_msg(!expr_is_reserved(span_of(free_words[i])), "%s", free_words[i]);
    ck_assert(!expr_is_reserved(SPAN_LIT("ADD\0X")));
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, checks_keys_of_names, 0, COUNT(keys));
    tcase_add_test(tc, refuses_empty_names);
    tcase_add_test(tc, checks_keys_of_values);
    tcase_add_loop_test(tc, names_what_nothing_uses, 0, COUNT(uses));
    tcase_add_test(tc, knows_reserved_words_in_any_case);
}

UNIT_TESTS(expr_vars, add_tests)
