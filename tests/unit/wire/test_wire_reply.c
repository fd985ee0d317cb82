#include "unit.h"

#include "wire/wire_reply.h"

START_TEST(puts_commas_where_they_belong)
{
    struct buf out = buf_in(arena);
    struct wire_writer w = {.out = &out};

    wire_open(&w, '{');
    wire_key(&w, "a");
    wire_open(&w, '[');
    wire_close(&w, ']');
    wire_key(&w, "b");
    wire_open(&w, '[');
    wire_put_integer(&w, -9007199254740993);
    wire_put_bool(&w, true);
    wire_put_bool(&w, false);
    wire_open(&w, '{');
    wire_close(&w, '}');
    wire_put_text(&w, SPAN_LIT("x"));
    wire_close(&w, ']');
    wire_key_span(&w, SPAN_LIT("c\"\0"));
    wire_put_text(&w, SPAN_LIT("line\n\0"));
    wire_close(&w, '}');
    ck_assert_str_eq(buf_text(&out), "{\"a\":[],\"b\":[-9007199254740993,true,false,{},\"x\"],"
                                     "\"c\\\"\\u0000\":\"line\\n\\u0000\"}");
}
END_TEST

static const struct {
    double units;
    const char *text;
} capacities[] = {{0, "0.0"}, {0.5, "0.5"}, {1, "1.0"}, {128.5, "128.5"}, {400000, "400000.0"}};

START_TEST(writes_capacity_with_one_decimal)
{
    struct buf out = buf_in(arena);
    struct wire_writer w = {.out = &out};

    wire_put_units(&w, capacities[_i].units);
    ck_assert_str_eq(buf_text(&out), capacities[_i].text);
}
END_TEST

static const struct {
    int64_t ms;
    const char *text;
} times[] = {{0, "\"At\":0.000"}, {1, "\"At\":0.001"}, {1700000000120, "\"At\":1700000000.120"}};

START_TEST(writes_times_in_seconds)
{
    struct buf out = buf_in(arena);
    struct wire_writer w = {.out = &out};

    wire_put_member_time(&w, "At", times[_i].ms);
    ck_assert_str_eq(buf_text(&out), times[_i].text);
}
END_TEST

START_TEST(writes_items_as_they_are_stored)
{
    const char *text = "{\"pk\":{\"S\":\"a\"},\"n\":{\"N\":\"1\"}}";
    struct item it = unit_item(text);
    struct buf out = buf_in(arena);
    struct wire_writer w = {.out = &out};

    wire_open(&w, '[');
    wire_put_raw(&w, span_of(text));
    wire_put_item(&w, &it);
    wire_put_item(&w, &(struct item){0});
    wire_close(&w, ']');
    ck_assert_str_eq(buf_text(&out), arena_printf(arena, "[%s,%s,{}]", text, text));
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, puts_commas_where_they_belong);
    tcase_add_loop_test(tc, writes_capacity_with_one_decimal, 0, COUNT(capacities));
    tcase_add_loop_test(tc, writes_times_in_seconds, 0, COUNT(times));
    tcase_add_test(tc, writes_items_as_they_are_stored);
}

UNIT_TESTS(wire_reply, add_tests)
