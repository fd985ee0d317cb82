#include "unit.h"

#include "http/http_memory.h"

static const struct {
    size_t size;
    bool kept;
} sizes[] = {{0, true}, {1, true}, {32, true}, {33, true}, {16384, true}, {16385, false}};

START_TEST(a_returned_block_of_up_to_16_kb_is_the_next_one_taken)
{
    void *block = http_memory_take(sizes[_i].size);

    ck_assert_ptr_nonnull(block);
    ck_assert_uint_eq((uintptr_t)block % 16, 0);
    memset(block, 'x', sizes[_i].size);
    http_memory_return(block);
    if (sizes[_i].kept) {
        void *again = http_memory_take(sizes[_i].size);

        ck_assert_ptr_eq(again, block);
        http_memory_return(again);
    }
}
END_TEST

START_TEST(blocks_in_use_are_apart)
{
    char *one = http_memory_take(100), *two = http_memory_take(100);

    memset(one, '1', 100);
    memset(two, '2', 100);
    ck_assert_int_eq(one[99], '1');
    http_memory_return(one);
    http_memory_return(two);
}
END_TEST

START_TEST(a_block_that_grows_keeps_its_bytes)
{
    static const size_t steps[] = {10, 32, 100, 5000, 40000, 90000};
    char *block = http_memory_resize(NULL, 5);

    memset(block, 'b', 5);
    for (size_t i = 0; i < COUNT(steps); i++) {
        block = http_memory_resize(block, steps[i]);
        ck_assert_mem_eq(block, "bbbbb", 5);
    }
    http_memory_return(block);
}
END_TEST

START_TEST(a_block_that_fits_stays_where_it_is)
{
    char *block = http_memory_take(40);

    ck_assert_ptr_eq(http_memory_resize(block, 64), block);
    http_memory_return(block);
}
END_TEST

START_TEST(more_than_there_can_be_is_refused)
{
    char *block = http_memory_take(10);

    ck_assert_ptr_null(http_memory_take(SIZE_MAX - 4));
    ck_assert_ptr_null(http_memory_resize(block, SIZE_MAX - 4));
    http_memory_return(block);
    http_memory_return(NULL);
}
END_TEST

START_TEST(what_is_kept_after_a_trim_is_still_good)
{
    enum { BLOCKS = 3000, SIZE = 1000 };
    char **blocks = arena_array(arena, BLOCKS, sizeof *blocks);

    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < BLOCKS; i++)
            memset(blocks[i] = http_memory_take(SIZE), i, SIZE);
        for (int i = 0; i < BLOCKS; i++) {
            ck_assert_int_eq(blocks[i][SIZE - 1], (char)i);
            http_memory_return(blocks[i]);
        }
        http_memory_trim();
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, a_returned_block_of_up_to_16_kb_is_the_next_one_taken, 0,
                        (int)COUNT(sizes));
    tcase_add_test(tc, blocks_in_use_are_apart);
    tcase_add_test(tc, a_block_that_grows_keeps_its_bytes);
    tcase_add_test(tc, a_block_that_fits_stays_where_it_is);
    tcase_add_test(tc, more_than_there_can_be_is_refused);
    tcase_add_test(tc, what_is_kept_after_a_trim_is_still_good);
}

int main(void)
{
    return unit_run("http_memory", add_tests);
}
