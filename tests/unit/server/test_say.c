/* Sentences: each operand in the words of its type. */
#include "unit.h"

#include "explain/say.h"
#include "expr/expr_key.h"

static struct inquiry *inquiry(void)
{
    struct inquiry *q = arena_alloc(arena, sizeof *q);

    q->arena = arena;
    q->about = "";
    return q;
}

START_TEST(says_each_operand_by_its_type)
{
    struct inquiry *q = inquiry();
    struct attr text = {.type = ATTR_S, .bytes = SPAN_LIT("a \"b\"")},
                number = {.type = ATTR_N, .bytes = SPAN_LIT("12.5")};
    struct path_step steps[] = {{.name = SPAN_LIT("box")}, {.is_index = true, .index = 2}};
    struct path path = {steps, COUNT(steps)};
    struct expr_key_clause from = {SPAN_LIT("sk"), EXPR_GE, number, text},
                           both = {SPAN_LIT("sk"), EXPR_BETWEEN, number, text},
                           is = {SPAN_LIT("pk"), EXPR_EQ, text, text};
    struct field fields[] = {{SPAN_LIT("pk"), text}, {SPAN_LIT("sk"), number}};
    struct item it = {.at = fields, .len = COUNT(fields)};
    struct table t = {.name = SPAN_LIT("Jobs"),
                      .keys = {.hash = {{SPAN_LIT("pk"), ATTR_S}},
                               .hash_count = 1,
                               .range = {{SPAN_LIT("sk"), ATTR_N}},
                               .range_count = 1}};
    struct index ix = {.name = SPAN_LIT("by-time")};
    const struct table *table = &t;
    const struct index *index = &ix;
    const struct key_schema *keys = &t.keys;

    ck_assert_str_eq(say_text(q, "no operand"), "no operand");
    ck_assert_str_eq(say_text(q, "%-%-%", "text", SPAN_LIT("span"), 'c'), "text-span-c");
    ck_assert_str_eq(say_text(q, "%|%|%", (size_t)7, (int64_t)-7, 0.5), "7|-7|0.5");
    ck_assert_str_eq(say_text(q, "% % %", &text, &number, say_quoted(SPAN_LIT("q"))),
                     "\"a \\\"b\\\"\" 12.5 \"q\"");
    ck_assert_str_eq(say_text(q, "% and %", number.type, say_type(ATTR_L)), "N and a list");
    ck_assert_str_eq(say_text(q, "%, %", &path, &is), "box[2], pk \"a \\\"b\\\"\"");
    ck_assert_str_eq(say_text(q, "%, %", &from, &both),
                     "sk from 12.5, sk from 12.5 to \"a \\\"b\\\"\"");
    ck_assert_str_eq(say_text(q, "%", &it), "pk \"a \\\"b\\\"\" and sk 12.5");
    ck_assert_str_eq(say_text(q, "% %: %", table, index, keys), "Jobs by-time: pk (S) and sk (N)");
    ck_assert_str_eq(say_text(q, "% %", say_place(table, NULL), say_place(table, index)),
                     "Jobs Jobs.by-time");
    ck_assert_str_eq(say_text(q, "%, %", say_count(1, "item"), say_count(2, "item")),
                     "1 item, 2 items");
}
END_TEST

START_TEST(lists_names_and_values)
{
    struct inquiry *q = inquiry();
    struct span names[] = {SPAN_LIT("a"), SPAN_LIT("b"), SPAN_LIT("c")};
    struct attr values[] = {{.type = ATTR_N, .bytes = SPAN_LIT("1")},
                            {.type = ATTR_N, .bytes = SPAN_LIT("2")},
                            {.type = ATTR_N, .bytes = SPAN_LIT("3")}};

    ck_assert_str_eq(
        say_text(q, "%; %; %", say_names(names, 1), say_names(names, 2), say_names(names, 3)),
        "a; a and b; a, b and c");
    ck_assert_str_eq(say_text(q, "%; %; %", say_values(values, 1, " or ", false),
                              say_values(values, 3, " or ", false),
                              say_values(values, 2, " or ", true)),
                     "1; 1, 2 or 3; 1, 2, …");
}
END_TEST

START_TEST(a_mark_in_an_operand_is_text)
{
    struct inquiry *q = inquiry();

    ck_assert_str_eq(say_text(q, "% takes %", "100%", '%'), "100% takes %");
    ck_assert_str_eq(say_text(q, "% is 50%", "a"), "a is 50%");
    ck_assert_str_eq(say_text(q, "50% and 60%"), "50% and 60%");
    ck_assert_str_eq(say_behind(q, ": ", "50%"), ": 50%");
    ck_assert_str_eq(say_behind(q, ": ", NULL), "");
    ck_assert_str_eq(say_behind(q, ": ", ""), "");
}
END_TEST

START_TEST(the_first_reason_counts)
{
    struct inquiry *q = inquiry();
    const struct hint *hint;

    q->about = "action 2: ";
    say_why(q, "% is missing", SPAN_LIT("pk"));
    say_why(q, "something else");
    ck_assert(span_is(q->reason, "action 2: pk is missing"));
    for (size_t i = 0; i < INQUIRY_LINES + 2; i++)
        say_line(q, "line %", i);
    ck_assert_uint_eq(q->line_count, INQUIRY_LINES);
    ck_assert(span_is(q->lines[1], "line 1"));
    hint = say_hint(q, ADVICE_NOTE, "name", "% units", 2.5);
    ck_assert(span_is(hint->text, "2.5 units"));
    ck_assert_uint_eq(q->hint_count, 1);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, says_each_operand_by_its_type);
    tcase_add_test(tc, lists_names_and_values);
    tcase_add_test(tc, a_mark_in_an_operand_is_text);
    tcase_add_test(tc, the_first_reason_counts);
}

UNIT_TESTS(say, add_tests)
