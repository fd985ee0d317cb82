#include "unit.h"

#include "moving/moving_model.h"
#include "ops/transfer/transfer_reader.h"

/* A value of an item, as it is typed, and what it becomes; guessed: that is noted. */
static const struct {
    const char *typed, *value;
    bool guessed;
} samples[] = {
    /* what Workbench writes is as it is */
    {"{\"S\":\"x\"}", "{\"S\":\"x\"}", false},
    {"{\"NULL\":true}", "{\"NULL\":true}", false},
    {"{\"BOOL\":false}", "{\"BOOL\":false}", false},
    {"{\"NS\":[\"1\",\"2\"]}", "{\"NS\":[\"1\",\"2\"]}", false},
    {"{\"M\":{\"a\":{\"S\":\"x\"},\"N\":{\"N\":\"1\"}}}",
     "{\"M\":{\"a\":{\"S\":\"x\"},\"N\":{\"N\":\"1\"}}}", false},
    {"{\"L\":[{\"M\":{}},{\"L\":[]}]}", "{\"L\":[{\"M\":{}},{\"L\":[]}]}", false},
    /* plain JSON in maps and lists, and alone */
    {"{\"M\":{\"a\":\"x\",\"b\":1.50,\"c\":true,\"d\":null,\"e\":[1],\"f\":{\"g\":{}}}}",
     "{\"M\":{\"a\":{\"S\":\"x\"},\"b\":{\"N\":\"1.5\"},\"c\":{\"BOOL\":true},\"d\":{\"NULL\":true}"
     ","
     "\"e\":{\"L\":[{\"N\":\"1\"}]},\"f\":{\"M\":{\"g\":{\"M\":{}}}}}}",
     true},
    {"{\"L\":[\"x\",{\"N\":\"1\"},{\"a\":false}]}",
     "{\"L\":[{\"S\":\"x\"},{\"N\":\"1\"},{\"M\":{\"a\":{\"BOOL\":false}}}]}", true},
    {"\"x\"", "{\"S\":\"x\"}", true},
    {"{\"a\":{\"S\":\"x\"},\"b\":2}", "{\"M\":{\"a\":{\"S\":\"x\"},\"b\":{\"N\":\"2\"}}}", true},
    /* a map may have a member that is called as a type is */
    {"{\"M\":{\"S\":\"x\"}}", "{\"M\":{\"S\":{\"S\":\"x\"}}}", true},
    /* typed by hand */
    {"{\"N\":1}", "{\"N\":\"1\"}", true},
    {"{\"S\":1.0}", "{\"S\":\"1.0\"}", true},
    {"{\"BOOL\":\"true\"}", "{\"BOOL\":true}", true},
    {"{\"NULL\":\"true\"}", "{\"NULL\":true}", true},
    {"{\"NULL\":null}", "{\"NULL\":true}", true},
    {"{\"NS\":[2,\"1\"]}", "{\"NS\":[\"1\",\"2\"]}", true},
    {"{\"M\":\"{\\\"a\\\": 1, \\\"b\\\": {\\\"S\\\": \\\"x\\\"}}\"}",
     "{\"M\":{\"a\":{\"N\":\"1\"},\"b\":{\"S\":\"x\"}}}", true},
    {"{\"L\":\"[1, [\\\"x\\\"]]\"}", "{\"L\":[{\"N\":\"1\"},{\"L\":[{\"S\":\"x\"}]}]}", true},
    /* what can be nothing is refused, not guessed */
    {"{\"N\":\"x\"}", NULL, false},
    {"{\"N\":true}", NULL, false},
    {"{\"BOOL\":\"yes\"}", NULL, false},
    {"{\"BOOL\":1}", NULL, false},
    {"{\"NULL\":false}", NULL, false},
    {"{\"NULL\":\"false\"}", NULL, false},
    {"{\"M\":\"x\"}", NULL, false},
    {"{\"M\":\"[]\"}", NULL, false},
    {"{\"L\":{}}", NULL, false},
    {"{\"SS\":\"x\"}", NULL, false},
    {"{\"SS\":[[]]}", NULL, false},
};

START_TEST(samples_become_items)
{
    struct transfer_guesses guesses = {.items = 0};
    const struct transfer_options options = {.by_lines = true, .guesses = &guesses};
    struct transfer_reader *r = transfer_reader_new(&moving_model_samples, &options);
    struct span text = span_of(arena_printf(arena, "[{\"pk\":{\"S\":\"a\"},\"x\":%s},{\"y\":%s}]",
                                            samples[_i].typed, samples[_i].typed));
    struct transfer_record record;
    struct transfer_fault fault;
    struct buf item = buf_in(arena);
    enum transfer_reading what;

    transfer_reader_feed(r, text);
    transfer_reader_end(r);
    what = transfer_reader_next(r, arena, &record, &fault);
    ck_assert_int_eq(what, samples[_i].value ? TRANSFER_ITEM : TRANSFER_BAD_ITEM);
    if (what == TRANSFER_ITEM) {
        item_encode(&item, &record.item);
        ck_assert_str_eq(buf_text(&item),
                         arena_printf(arena, "{\"pk\":{\"S\":\"a\"},\"x\":%s}", samples[_i].value));
    }
    ck_assert_int_eq(transfer_reader_next(r, arena, &record, &fault), what);
    ck_assert_int_eq(transfer_reader_next(r, arena, &record, &fault), TRANSFER_END);
    ck_assert_uint_eq(guesses.items, samples[_i].guessed ? 2 : 0);
    if (samples[_i].guessed)
        ck_assert_str_eq(guesses.attribute, "x");
    transfer_reader_free(r);
}
END_TEST

/* Levels are bounded here, and refused where they are too many. */
START_TEST(deep_samples_are_refused)
{
    struct buf text = buf_in(arena);
    const struct transfer_options options = {.by_lines = true};
    struct transfer_reader *r = transfer_reader_new(&moving_model_samples, &options);
    struct transfer_record record;
    struct transfer_fault fault;

    buf_add_text(&text, "[{\"x\":");
    for (int i = 0; i < 100; i++)
        buf_add_char(&text, '[');
    for (int i = 0; i < 100; i++)
        buf_add_char(&text, ']');
    buf_add_text(&text, "},{}]");
    transfer_reader_feed(r, buf_span(&text));
    transfer_reader_end(r);
    ck_assert_int_eq(transfer_reader_next(r, arena, &record, &fault), TRANSFER_BAD_ITEM);
    ck_assert_int_eq(transfer_reader_next(r, arena, &record, &fault), TRANSFER_ITEM);
    transfer_reader_free(r);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, samples_become_items, 0, COUNT(samples));
    tcase_add_test(tc, deep_samples_are_refused);
}

UNIT_TESTS(moving_samples, add_tests)
