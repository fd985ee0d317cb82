/* Digests of moved items: equal for equal items however they are written and in any order. */
#include "unit.h"

#include "moving/moving_digest.h"

static struct moving_digest digest_of(const char *text)
{
    struct moving_digest digest;
    const wire_node *item;

    ck_assert_ptr_null(wire_parse(arena, span_of(text), &item));
    ck_assert(moving_digest_of(arena, item, &digest));
    ck_assert_uint_eq(digest.items, 1);
    return digest;
}

static const struct {
    const char *one, *other;
    bool are_equal;
} pairs[] = {
    {"{\"a\":{\"S\":\"x\"},\"b\":{\"N\":\"1\"}}",
     "{\"b\": {\"N\": \"1\"}, \"a\": {\"S\": \"\\u0078\"}}", true},
    {"{\"a\":{\"N\":\"100\"}}", "{\"a\":{\"N\":\"1.00e2\"}}", true},
    {"{\"a\":{\"NS\":[\"10\",\"9\"]}}", "{\"a\":{\"NS\":[\"9.0\",\"1e1\"]}}", true},
    {"{\"a\":{\"SS\":[\"y\",\"x\"]}}", "{\"a\":{\"SS\":[\"x\",\"y\"]}}", true},
    {"{\"a\":{\"L\":[{\"M\":{\"x\":{\"BOOL\":true},\"y\":{\"NULL\":true}}}]}}",
     "{\"a\":{\"L\":[{\"M\":{\"y\":{\"NULL\":true},\"x\":{\"BOOL\":true}}}]}}", true},
    {"{\"a\":{\"L\":[{\"S\":\"x\"},{\"S\":\"y\"}]}}",
     "{\"a\":{\"L\":[{\"S\":\"y\"},{\"S\":\"x\"}]}}", false},
    {"{\"a\":{\"S\":\"1\"}}", "{\"a\":{\"N\":\"1\"}}", false},
    {"{\"a\":{\"S\":\"AA==\"}}", "{\"a\":{\"B\":\"AA==\"}}", false},
    {"{\"a\":{\"S\":\"x\"}}", "{\"b\":{\"S\":\"x\"}}", false},
    {"{\"a\":{\"N\":\"12345678901234567890123456789012345678\"}}",
     "{\"a\":{\"N\":\"12345678901234567890123456789012345679\"}}", false},
};

START_TEST(equal_items_have_equal_digests)
{
    struct moving_digest one = digest_of(pairs[_i].one), other = digest_of(pairs[_i].other);

    ck_assert_int_eq(moving_digest_equal(&one, &other), pairs[_i].are_equal);
}
END_TEST

START_TEST(a_sum_has_no_order_and_counts)
{
    struct moving_digest a = digest_of("{\"a\":{\"S\":\"x\"}}"),
                         b = digest_of("{\"a\":{\"S\":\"y\"}}");
    struct moving_digest ab = a, ba = b;

    moving_digest_add(&ab, &b);
    moving_digest_add(&ba, &a);
    ck_assert(moving_digest_equal(&ab, &ba));
    ck_assert_uint_eq(ab.items, 2);
    moving_digest_add(&ab, &a); /* one item twice is not one item */
    ck_assert(!moving_digest_equal(&ab, &ba));
    ba.items++;
    ck_assert(!moving_digest_equal(&ab, &ba));
}
END_TEST

START_TEST(a_digest_is_read_as_it_is_written)
{
    struct moving_digest one = digest_of("{\"a\":{\"S\":\"x\"}}"), other = {.items = 1};
    const char *text = moving_digest_text(arena, &one);

    ck_assert_uint_eq(strlen(text), 32);
    moving_digest_read(span_of(text), &other);
    ck_assert(moving_digest_equal(&one, &other));
    moving_digest_read(SPAN_LIT("x"), &other);
    ck_assert(other.words[0] == 0 && other.words[1] == 0);
}
END_TEST

START_TEST(what_is_no_item_has_none)
{
    struct moving_digest digest;
    const wire_node *item;

    ck_assert_ptr_null(wire_parse(arena, SPAN_LIT("{\"a\":{\"N\":\"x\"}}"), &item));
    ck_assert(!moving_digest_of(arena, item, &digest));
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, equal_items_have_equal_digests, 0, COUNT(pairs));
    tcase_add_test(tc, a_sum_has_no_order_and_counts);
    tcase_add_test(tc, a_digest_is_read_as_it_is_written);
    tcase_add_test(tc, what_is_no_item_has_none);
}

UNIT_TESTS(moving_digest, add_tests)
