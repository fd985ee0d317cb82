#include "unit.h"

#include "model/limits.h"
#include "ops/past.h"

#define CHANGES (LIMIT_PAST_NOTES + 10)

static void note(struct past *p, const char *key, size_t number)
{
    const struct store_row before = {.found = true,
                                     .key = span_of(key),
                                     .size = number,
                                     .body = span_of(arena_printf(arena, "%zu", number))};

    past_note_item(p, &before, 1000 + (int64_t)number);
}

static size_t size_at(const struct past *p, int64_t moment_ms)
{
    struct store_row row;

    ck_assert(past_image(p, SPAN_LIT("item"), moment_ms, &row));
    ck_assert_span_eq(row.body, arena_printf(arena, "%zu", row.size));
    return row.size;
}

/* Of an item that changes more often than there are notes, the oldest image that is left shows for
 * all earlier moments. */
START_TEST(the_oldest_note_is_the_end_of_the_past)
{
    struct past *p = past_new();

    for (size_t i = 0; i < CHANGES; i++)
        note(p, "item", i);
    ck_assert_uint_eq(size_at(p, PAST_PREVIOUS), CHANGES - 1);
    ck_assert_uint_eq(size_at(p, 1000 + CHANGES - 3), CHANGES - 2);
    ck_assert_uint_eq(size_at(p, 0), CHANGES - LIMIT_PAST_NOTES);
    past_free(p);
}
END_TEST

/* Bytes are limited as well; what is dropped for them is not found. */
START_TEST(an_image_that_was_dropped_is_not_found)
{
    struct past *p = past_new();
    struct store_row row,
        large = {.found = true,
                 .key = SPAN_LIT("large"),
                 .size = 1,
                 .body = {arena_alloc(arena, LIMIT_PAST_BYTES / 2), LIMIT_PAST_BYTES / 2 - 100}};

    note(p, "item", 1);
    past_note_item(p, &large, 2000);
    past_note_item(p, &large, 2001);
    ck_assert_uint_eq(size_at(p, 0), 1);
    past_note_item(p, &large, 2002);
    ck_assert(!past_image(p, SPAN_LIT("item"), 0, &row));
    ck_assert(past_image(p, SPAN_LIT("large"), PAST_PREVIOUS, &row));
    past_free(p);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, the_oldest_note_is_the_end_of_the_past);
    tcase_add_test(tc, an_image_that_was_dropped_is_not_found);
}

UNIT_TESTS(past, add_tests)
