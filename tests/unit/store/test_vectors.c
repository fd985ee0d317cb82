#include "unit.h"

#include "store/vectors.h"
#include "support/memory_in_use.h"

#define FLOATS 8
#define SPACE  20

static struct vectors all;
static const struct siphash_key hash_key = {{1, 2}};

static void setup(void)
{
    all = (struct vectors){.sets = NULL};
}

static void teardown(void)
{
    vectors_free(&all);
}

static struct vector_set *begin(void)
{
    return vectors_begin(&all, SPACE, FLOATS, &hash_key);
}

static struct span key_of(unsigned n)
{
    return span_of(arena_printf(arena, "key %u", n));
}

static void put(struct vector_set *set, unsigned n, float value)
{
    float at[FLOATS] = {value};

    vectors_put(set, &(struct vector_row){.at = at,
                                          .norm = (double)value,
                                          .key = key_of(n),
                                          .label = span_of(arena_printf(arena, "label %u", n))});
}

/* The value of a key's row; -1: it has none. */
static float find(const struct vector_set *set, unsigned n)
{
    float found = -1;

    for (size_t i = 0; i < vectors_count(set); i++) {
        struct vector_row row = vectors_row(set, i);

        if (!span_equal(row.key, key_of(n)))
            continue;
        ck_assert_msg(found < 0, "key %u twice", n);
        ck_assert(span_equal(row.label, span_of(arena_printf(arena, "label %u", n))));
        ck_assert_double_eq(row.norm, (double)row.at[0]);
        found = row.at[0];
    }
    return found;
}

START_TEST(rows_come_change_and_go)
{
    struct vector_set *set = begin();
    static float values[1500];

    for (unsigned i = 0; i < COUNT(values); i++)
        values[i] = -1;
    for (unsigned round = 0; round < 20000; round++) {
        unsigned n = unit_random(COUNT(values));

        if (unit_random(3)) {
            values[n] = (float)unit_random(1000);
            put(set, n, values[n]);
        } else {
            values[n] = -1;
            vectors_remove(set, key_of(n));
        }
    }
    for (unsigned n = 0; n < COUNT(values); n++)
        ck_assert(find(set, n) == values[n]);
    ck_assert_uint_eq(vectors_bytes(set), vectors_count(set) * FLOATS * sizeof(float));
}
END_TEST

/* And those that stay are found. */
START_TEST(memory_of_rows_goes_with_them)
{
    struct vector_set *set = begin();
    size_t before = memory_in_use(), full;

    for (unsigned n = 0; n < 200000; n++) {
        struct arena_mark mark = arena_mark(arena);

        put(set, n, (float)n);
        arena_release(arena, mark);
    }
    full = memory_in_use() - before;
    for (unsigned n = 10; n < 200000; n++) {
        struct arena_mark mark = arena_mark(arena);

        vectors_remove(set, key_of(n));
        arena_release(arena, mark);
    }
    ck_assert_uint_lt(memory_in_use() - before, full / 3); /* two blocks of four */
    for (unsigned n = 0; n < 10; n++)
        ck_assert(find(set, n) == (float)n);
    for (unsigned n = 10; n < 1000; n++)
        put(set, n, (float)n);
    ck_assert_uint_eq(vectors_count(set), 1000);
}
END_TEST

START_TEST(memory_of_notes_goes_with_them)
{
    struct vector_set *set = begin();
    static char key[2000];
    size_t before = memory_in_use();

    for (int round = 0; round < 3; round++) {
        for (int n = 0; n < 4000; n++)
            vectors_note(&all, SPACE, (struct span){key, sizeof key});
        ck_assert_uint_gt(memory_in_use() - before, 4000 * sizeof key);
        for (int n = 0; n < 4000; n++)
            vectors_drop_note(set);
        ck_assert_uint_lt(memory_in_use() - before, sizeof key);
    }
}
END_TEST

START_TEST(notes_are_taken_from_the_newest_back)
{
    struct vector_set *set = begin();
    struct span key;

    vectors_note(&all, SPACE, key_of(1));
    vectors_note(&all, SPACE, key_of(2));
    vectors_note(&all, SPACE + 1, key_of(3)); /* there is no such set */
    ck_assert(vectors_last_note(set, &key) && span_equal(key, key_of(2)));
    vectors_drop_note(set);
    ck_assert(vectors_last_note(set, &key) && span_equal(key, key_of(1)));
    vectors_drop_note(set);
    ck_assert(!vectors_last_note(set, &key));
}
END_TEST

START_TEST(a_set_with_more_notes_than_rows_is_given_up)
{
    (void)begin();
    for (unsigned n = 0; n < 5000; n++)
        vectors_note(&all, SPACE, key_of(n));
    ck_assert_ptr_null(vectors_find(&all, SPACE));
}
END_TEST

START_TEST(filling_goes_on_where_it_was)
{
    struct vector_set *set = begin();

    ck_assert_uint_eq(vectors_position(set).len, 0);
    vectors_set_position(set, key_of(7));
    ck_assert(span_equal(vectors_position(set), key_of(7)));
    ck_assert(!vectors_is_filled(set));
    vectors_set_filled(set);
    ck_assert(vectors_is_filled(vectors_find(&all, SPACE)));
}
END_TEST

START_TEST(searches_find_where_they_are)
{
    struct vector_set *set = begin();

    ck_assert(!vectors_is_searched(set, 0));
    vectors_search(set, 5, 1000)->next = 3;
    vectors_search(set, 6, 1000)->next = 4;
    ck_assert_uint_eq(vectors_search(set, 5, 2000)->next, 3);
    ck_assert(vectors_is_searched(set, 2000));
    vectors_end_search(set, 5);
    ck_assert_uint_eq(vectors_search(set, 6, 3000)->next, 4);
    ck_assert(!vectors_is_searched(set, 60000000)); /* whoever asked is gone */
    for (uint64_t id = 1; id <= 100; id++)
        ck_assert_uint_eq(vectors_search(set, id, (int64_t)id)->next, 0);
}
END_TEST

START_TEST(spaces_are_dropped_one_by_one)
{
    (void)begin();
    (void)vectors_begin(&all, SPACE + 1, FLOATS, &hash_key);
    vectors_drop(&all, SPACE);
    vectors_drop(&all, SPACE);
    ck_assert_ptr_null(vectors_find(&all, SPACE));
    ck_assert_ptr_nonnull(vectors_find(&all, SPACE + 1));
}
END_TEST

/* They are freed when the next set begins, or with the rest: see the fixture's end. */
START_TEST(outdated_sets_are_not_found)
{
    (void)vectors_begin(&all, SPACE, FLOATS, &hash_key);
    vectors_outdate(&all);
    ck_assert_ptr_null(vectors_find(&all, SPACE));
    (void)vectors_begin(&all, SPACE, FLOATS, &hash_key);
    ck_assert_ptr_null(all.outdated);
    vectors_outdate(&all);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, rows_come_change_and_go);
    tcase_add_test(tc, memory_of_rows_goes_with_them);
    tcase_add_test(tc, memory_of_notes_goes_with_them);
    tcase_add_test(tc, notes_are_taken_from_the_newest_back);
    tcase_add_test(tc, a_set_with_more_notes_than_rows_is_given_up);
    tcase_add_test(tc, filling_goes_on_where_it_was);
    tcase_add_test(tc, searches_find_where_they_are);
    tcase_add_test(tc, spaces_are_dropped_one_by_one);
    tcase_add_test(tc, outdated_sets_are_not_found);
}

UNIT_TESTS(vectors, add_tests)
