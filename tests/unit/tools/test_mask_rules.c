/* Rules that change what leaves the place where it belongs. */
#include "masking/mask_rules.h"
#include "unit.h"

#include "model/num.h"

#define RULES(r) "{\"salt\":\"s\",\"rules\":[" r "]}"

static struct mask_rules *rules_of(const char *text)
{
    struct mask_rules *rules = NULL;

    ck_assert_ptr_null(
        mask_rules_parse(arena, "f", span_of(arena_text(arena, span_of(text))), &rules));
    return rules;
}

static const char *applied(const char *rules, const char *table, const char *item)
{
    struct item it = item_decode(arena, span_of(item));
    struct buf out = buf_in(arena);

    it = mask_rules_apply(rules_of(rules), arena, span_of(table), &it);
    item_encode(&out, &it);
    return buf_text(&out);
}

/* --- what becomes of an item ------------------------------------------------------------------ */

static const struct {
    const char *rules, *item, *masked;
} items[] = {
    {"", "{\"a\":{\"S\":\"x\"}}", "{\"a\":{\"S\":\"x\"}}"},
    {"{\"attribute\":\"a\",\"do\":\"drop\"}", "{\"a\":{\"S\":\"x\"},\"b\":{\"S\":\"y\"}}",
     "{\"b\":{\"S\":\"y\"}}"},
    {"{\"attribute\":\"a\",\"do\":\"mask\"}",
     "{\"a\":{\"S\":\"x\"},\"b\":{\"M\":{\"a\":{\"N\":\"7\"},\"c\":{\"S\":\"z\"}}}}",
     "{\"a\":{\"S\":\"***\"},\"b\":{\"M\":{\"a\":{\"N\":\"0\"},\"c\":{\"S\":\"z\"}}}}"},
    {"{\"attribute\":\"a\",\"do\":\"mask\"}",
     "{\"a\":{\"L\":[{\"S\":\"x\"},{\"BOOL\":true},{\"NULL\":true},{\"SS\":[\"p\",\"q\"]}]}}",
     "{\"a\":{\"L\":[{\"S\":\"***\"},{\"BOOL\":false},{\"NULL\":true},{\"SS\":[\"***\"]}]}}"},
    {"{\"attribute\":\"a\",\"do\":\"mask\",\"table\":\"Other\"}", "{\"a\":{\"S\":\"x\"}}",
     "{\"a\":{\"S\":\"x\"}}"},
    {"{\"attribute\":\"a\",\"do\":\"mask\",\"part\":2}", "{\"a\":{\"S\":\"SHOP#x#y\"}}",
     "{\"a\":{\"S\":\"SHOP#***#y\"}}"},
    {"{\"attribute\":\"a\",\"do\":\"mask\",\"part\":3,\"separator\":\"|\"}",
     "{\"a\":{\"S\":\"SHOP|x|\"}}", "{\"a\":{\"S\":\"SHOP|x|***\"}}"},
    {"{\"attribute\":\"a\",\"do\":\"mask\",\"part\":4}", "{\"a\":{\"S\":\"SHOP#x#y\"}}",
     "{\"a\":{\"S\":\"SHOP#x#y\"}}"},
    {"{\"attribute\":\"a\",\"do\":\"mask\",\"part\":1}", "{\"a\":{\"N\":\"1\"}}",
     "{\"a\":{\"N\":\"1\"}}"},
};

START_TEST(an_item_is_as_the_rules_have_it)
{
    const char *rules = arena_printf(arena, RULES("%s"), items[_i].rules);

    ck_assert_str_eq(applied(rules, "T", items[_i].item), items[_i].masked);
}
END_TEST

/* --- replacing -------------------------------------------------------------------------------- */

static struct span replaced(struct span text)
{
    struct mask_key key = mask_value_key(SPAN_LIT("s"));

    return mask_value_text(arena, &key, MASK_REPLACE, NULL, text);
}

START_TEST(a_replacement_has_the_form_and_is_the_same_each_time)
{
    const char *text = "Mary-Ann.O'Neil42@Example.com \xC3\xA9\xE2\x82\xAC";
    struct span one = replaced(span_of(text)), two = replaced(span_of(text));

    ck_assert(span_equal(one, two));
    ck_assert_uint_eq(one.len, strlen(text));
    ck_assert(!span_is(one, text));
    for (size_t i = 0; i < one.len; i++) {
        ck_assert_int_eq(text[i] >= 'a' && text[i] <= 'z', one.at[i] >= 'a' && one.at[i] <= 'z');
        ck_assert_int_eq(text[i] >= 'A' && text[i] <= 'Z', one.at[i] >= 'A' && one.at[i] <= 'Z');
        ck_assert_int_eq(text[i] >= '0' && text[i] <= '9', one.at[i] >= '0' && one.at[i] <= '9');
        if (strchr("-.'@ ", text[i]))
            ck_assert_int_eq(text[i], one.at[i]);
    }
}
END_TEST

/* All texts of so many digits. */
START_TEST(no_two_become_one)
{
    int count = _i == 1 ? 10 : _i == 2 ? 100 : 1000;
    bool *seen = arena_array(arena, 1000, sizeof *seen);

    for (int i = 0; i < count; i++) {
        const char *text = arena_text(arena, replaced(span_of(arena_printf(arena, "%0*d", _i, i))));
        long number = strtol(text, NULL, 10);

        ck_assert_uint_eq(strlen(text), (size_t)_i);
        ck_assert(!seen[number]);
        seen[number] = true;
    }
}
END_TEST

START_TEST(a_number_stays_a_number_in_its_canonical_form)
{
    static const char *const numbers[] = {"7", "-120", "0.05", "123.4500001", "0", "1000000"};

    for (size_t i = 0; i < COUNT(numbers); i++) {
        const char *item = arena_printf(arena, "{\"a\":{\"N\":\"%s\"}}", numbers[i]);
        const char *out = applied(RULES("{\"attribute\":\"a\",\"do\":\"replace\"}"), "T", item);
        struct item it = item_decode(arena, span_of(out));
        struct buf canonical = buf_in(arena);
        struct num n;

        ck_assert_int_eq(num_parse(it.at[0].value.bytes, false, &n), NUM_OK);
        num_format(&canonical, &n);
        ck_assert(span_equal(buf_span(&canonical), it.at[0].value.bytes));
        ck_assert_uint_eq(it.at[0].value.bytes.len, strlen(numbers[i]));
    }
}
END_TEST

START_TEST(a_part_of_a_key_joins_with_the_attribute_that_it_is)
{
    static const char *const ways[] = {"\"replace\"", "\"hash\"",
                                       "\"replace\",\"with\":\"shop-{}\""};
    const char *rules = arena_printf(arena,
                                     RULES("{\"attribute\":\"pk\",\"part\":2,\"do\":%s},"
                                           "{\"attribute\":\"shop\",\"do\":%s}"),
                                     ways[_i], ways[_i]);
    const char *one = applied(rules, "A", "{\"pk\":{\"S\":\"SHOP#cool\"}}");
    const char *two = applied(rules, "B", "{\"shop\":{\"S\":\"cool\"}}");

    ck_assert(!strstr(one, "cool") && !strstr(two, "cool"));
    ck_assert_str_eq(strchr(one, '#') + 1, strstr(two, ":\"") + 2);
}
END_TEST

/* --- what is refused -------------------------------------------------------------------------- */

static const struct {
    const char *text, *problem;
} refused[] = {
    {"{\"rules\":[", "f:1:11: not a JSON object"},
    {"{\"rules\":[]}", "f: rules, a list, and salt, a secret text, are needed"},
    {"{\"salt\":\"s\",\"rules\":[],\"x\":1}", "f: unknown member x"},
    {RULES("1"), "f: rule 1: expected an object, found a number"},
    {RULES("{\"do\":\"mask\"}"), "f: rule 1: member attribute is missing"},
    {RULES("{\"attribute\":\"a\",\"do\":\"mask\",\"attribute\":\"b\"}"),
     "f: rule 1: attribute is given twice"},
    {RULES("{\"attribute\":\"a\",\"table\":\"\",\"do\":\"mask\"}"), "f: rule 1: table is empty"},
    {RULES("{\"attribute\":\"a\",\"do\":1}"), "f: rule 1: do is a number, expected a string"},
    {RULES("{\"attribute\":\"a\",\"do\":\"hide\"}"),
     "f: rule 1: do is mask, hash, replace or drop"},
    {RULES("{\"attribute\":\"a\",\"do\":\"mask\",\"into\":1}"), "f: rule 1: unknown member into"},
    {RULES("{\"attribute\":\"a\",\"do\":\"hash\",\"with\":\"{}\"}"),
     "f: rule 1: with goes with replace, and has {} in it"},
    {RULES("{\"attribute\":\"a\",\"do\":\"replace\",\"with\":\"x\"}"),
     "f: rule 1: with goes with replace, and has {} in it"},
    {RULES("{\"attribute\":\"a\",\"do\":\"drop\",\"part\":1}"),
     "f: rule 1: part is a number from 1 on, and not for drop"},
    {RULES("{\"attribute\":\"a\",\"do\":\"hash\",\"separator\":\"#\"}"),
     "f: rule 1: separator goes with part, and is one character"},
};

START_TEST(bad_rules_are_clear_errors)
{
    struct mask_rules *rules;

    ck_assert_pstr_eq(
        problem_text(arena, mask_rules_parse(arena, "f", span_of(refused[_i].text), &rules)),
        refused[_i].problem);
}
END_TEST

START_TEST(keys_are_neither_masked_nor_dropped)
{
    const struct span keys[] = {SPAN_LIT_INIT("pk"), SPAN_LIT_INIT("sk")};
    const struct mask_rules *mask = rules_of(RULES("{\"attribute\":\"sk\",\"do\":\"mask\"}"));
    const struct mask_rules *hash = rules_of(RULES("{\"attribute\":\"sk\",\"do\":\"hash\"}"));

    ck_assert_pstr_ne(mask_rules_check_keys(arena, mask, SPAN_LIT("T"), keys, 2), NULL);
    ck_assert_pstr_eq(mask_rules_check_keys(arena, mask, SPAN_LIT("T"), keys, 1), NULL);
    ck_assert_pstr_eq(mask_rules_check_keys(arena, hash, SPAN_LIT("T"), keys, 2), NULL);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, an_item_is_as_the_rules_have_it, 0, COUNT(items));
    tcase_add_test(tc, a_replacement_has_the_form_and_is_the_same_each_time);
    tcase_add_loop_test(tc, no_two_become_one, 1, 4);
    tcase_add_test(tc, a_number_stays_a_number_in_its_canonical_form);
    tcase_add_loop_test(tc, a_part_of_a_key_joins_with_the_attribute_that_it_is, 0, 3);
    tcase_add_loop_test(tc, bad_rules_are_clear_errors, 0, COUNT(refused));
    tcase_add_test(tc, keys_are_neither_masked_nor_dropped);
}

UNIT_TESTS(mask_rules, add_tests)
