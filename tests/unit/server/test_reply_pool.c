#include "dispatch/reply_pool.h"
#include "unit.h"

static struct reply_pool *pool;

static struct buf *write_reply(const char *text)
{
    struct buf *out = reply_pool_next(pool);

    buf_add_text(out, text);
    return out;
}

static void open_pool(void)
{
    pool = reply_pool_new();
}

START_TEST(one_buffer_serves_reply_after_reply)
{
    struct buf *first, *second;

    open_pool();
    first = write_reply("first");
    second = write_reply("second");
    ck_assert_ptr_eq(first, second);
    ck_assert_span_eq(buf_span(second), "second");
    reply_pool_free(pool);
}
END_TEST

START_TEST(a_held_reply_stays_while_others_are_written)
{
    struct reply_buffer *held[3];
    struct span bodies[COUNT(held)];

    open_pool();
    for (size_t i = 0; i < COUNT(held); i++) {
        bodies[i] = buf_span(write_reply(arena_printf(arena, "held %zu", i)));
        held[i] = reply_pool_hold(pool);
    }
    write_reply("another");
    for (size_t i = 0; i < COUNT(held); i++) {
        ck_assert_span_eq(bodies[i], arena_printf(arena, "held %zu", i));
        reply_pool_release(held[i]);
    }
    write_reply("again");
    reply_pool_free(pool);
}
END_TEST

START_TEST(a_held_reply_takes_what_it_grew_to_and_no_more)
{
    const char *part = arena_printf(arena, "%0100000d", 7);
    struct reply_buffer *held;
    struct buf *out;
    struct span body;

    open_pool();
    out = reply_pool_next(pool);
    for (int i = 0; i < 50; i++)
        buf_add_text(out, part);
    body = buf_span(out);
    held = reply_pool_hold(pool);
    ck_assert_uint_ge(reply_pool_held_bytes(held), body.len);
    ck_assert_uint_le(reply_pool_held_bytes(held), 2 * body.len);
    for (int i = 0; i < 50; i++)
        ck_assert(span_starts_with(span_from(body, (size_t)i * strlen(part)), span_of(part)));
    reply_pool_release(held);
    ck_assert_span_eq(buf_span(write_reply("another")), "another");
    reply_pool_free(pool);
}
END_TEST

START_TEST(a_released_buffer_is_used_again)
{
    struct buf *first;
    struct reply_buffer *held;

    open_pool();
    first = write_reply("first");
    held = reply_pool_hold(pool);
    reply_pool_release(held);
    ck_assert_ptr_eq(write_reply("second"), first);
    reply_pool_free(pool);
}
END_TEST

START_TEST(a_held_reply_outlives_the_pool)
{
    struct reply_buffer *held;
    struct span body;

    open_pool();
    body = buf_span(write_reply("last"));
    held = reply_pool_hold(pool);
    reply_pool_free(pool);
    ck_assert_span_eq(body, "last");
    reply_pool_release(held);
}
END_TEST

START_TEST(a_huge_buffer_is_not_kept)
{
    char *bytes = arena_alloc(arena, (size_t)5 << 20);
    struct buf *out;

    open_pool();
    out = reply_pool_next(pool);
    buf_add(out, bytes, (size_t)5 << 20);
    out = reply_pool_next(pool);
    ck_assert_uint_eq(out->cap, 0);
    reply_pool_free(pool);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, one_buffer_serves_reply_after_reply);
    tcase_add_test(tc, a_held_reply_stays_while_others_are_written);
    tcase_add_test(tc, a_held_reply_takes_what_it_grew_to_and_no_more);
    tcase_add_test(tc, a_released_buffer_is_used_again);
    tcase_add_test(tc, a_held_reply_outlives_the_pool);
    tcase_add_test(tc, a_huge_buffer_is_not_kept);
}

UNIT_TESTS(reply_pool, add_tests)
