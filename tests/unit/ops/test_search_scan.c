#include "unit.h"

#include "ops/vector/search_scan.h"

#define DIMENSIONS 3
#define ROWS       400

static struct vectors all;
static struct vector_set *set;
static const struct siphash_key hash_key = {{1, 2}};

static struct span key_of(unsigned n)
{
    return span_of(arena_printf(arena, "%05u", n));
}

static void setup(void)
{
    size_t padded = vector_padded(DIMENSIONS);

    all = (struct vectors){0};
    set = vectors_begin(&all, 20, padded, &hash_key);
    for (unsigned n = 0; n < ROWS; n++) {
        float *at = arena_array(arena, padded, sizeof *at);

        for (size_t i = 0; i < DIMENSIONS; i++)
            at[i] = (float)unit_random(21) - 10;
        vectors_put(set, &(struct vector_row){.at = at,
                                              .norm = vector_norm(at, padded),
                                              .key = key_of(n * 7919 % ROWS),
                                              .label = SPAN_LIT("")});
    }
}

static void teardown(void)
{
    vectors_free(&all);
}

static struct search_scan scan_for(enum distance distance, size_t most, size_t at_once)
{
    float *from = arena_array(arena, vector_padded(DIMENSIONS), sizeof *from);

    from[0] = 1;
    from[1] = 2;
    return (struct search_scan){.set = set,
                                .query = vector_query_of(arena, distance, from, DIMENSIONS),
                                .most = most,
                                .at_once = at_once};
}

static bool comes_before(const struct search_scan *s, struct vector_hit a, struct vector_hit b)
{
    if (a.score != b.score)
        return vector_is_nearer(s->query.distance, a.score, b.score);
    return span_compare(vectors_row(set, a.row).key, vectors_row(set, b.row).key) < 0;
}

/* Every hit is before the next, and before every row that is none. */
static void are_the_nearest(const struct search_scan *s, const struct vector_search *found)
{
    struct vector_hit last = found->hits[found->count - 1];
    size_t before = 0;

    for (size_t i = 0; i + 1 < found->count; i++)
        ck_assert(comes_before(s, found->hits[i], found->hits[i + 1]));
    for (size_t i = 0; i < vectors_count(set); i++) {
        struct vector_row row = vectors_row(set, i);
        struct vector_hit hit = {vector_score(&s->query, row.at, row.norm), (uint32_t)i};

        before += comes_before(s, hit, last);
    }
    ck_assert_uint_eq(before, found->count - 1);
}

START_TEST(finds_the_nearest_in_order)
{
    static const size_t counts[] = {1, 10, 100};

    for (size_t i = 0; i < COUNT(counts); i++) {
        struct search_scan s = scan_for((enum distance)_i, counts[i], SIZE_MAX);
        struct vector_search found = {.id = 0};

        ck_assert(search_scan(arena, &s, &found));
        ck_assert_uint_eq(found.count, counts[i]);
        are_the_nearest(&s, &found);
    }
}
END_TEST

START_TEST(slices_come_to_the_same)
{
    struct search_scan whole = scan_for((enum distance)_i, 20, SIZE_MAX);
    struct search_scan sliced = scan_for((enum distance)_i, 20, vectors_bytes(set) - 1);
    struct vector_search one = {.id = 0}, other = {.id = 0};
    unsigned turns = 1;

    ck_assert(search_scan(arena, &whole, &one));
    while (!search_scan(arena, &sliced, &other))
        turns++;
    ck_assert_uint_gt(turns, 5);
    ck_assert_uint_eq(one.count, other.count);
    for (size_t i = 0; i < one.count; i++)
        ck_assert_uint_eq(one.hits[i].row, other.hits[i].row);
}
END_TEST

START_TEST(what_a_condition_looks_at_counts)
{
    struct search_scan s = scan_for(DISTANCE_COSINE, 1, vectors_bytes(set));

    ck_assert(!search_scan_is_long(&s));
    s.filter.steps = 1;
    ck_assert(search_scan_is_long(&s));
}
END_TEST

START_TEST(only_what_the_filter_passes)
{
    struct search_scan s = scan_for(DISTANCE_COSINE, 100, SIZE_MAX);
    struct vector_search found = {.id = 0};

    s.filter.partition = SPAN_LIT("0001");
    ck_assert(search_scan(arena, &s, &found));
    ck_assert_uint_eq(found.count, 10);
    for (size_t i = 0; i < found.count; i++)
        ck_assert(span_starts_with(vectors_row(set, found.hits[i].row).key, s.filter.partition));
}
END_TEST

/* So that searches of many vectors end as other long requests do. */
START_TEST(each_row_costs_work)
{
    struct arena_budget budget = {.bytes = SIZE_MAX, .steps = 1000 * ROWS};
    struct search_scan s = scan_for(DISTANCE_COSINE, 100, SIZE_MAX);
    struct vector_search found = {.id = 0};
    jmp_buf landing;

    if (setjmp(landing))
        ck_abort_msg("the budget ended");
    arena_limit(arena, &budget, &landing);
    ck_assert(search_scan(arena, &s, &found));
    ck_assert_int_lt(arena_left(arena)->steps, budget.steps - ROWS);
    arena_unlimit(arena);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, finds_the_nearest_in_order, 0, DISTANCE_EUCLIDEAN + 1);
    tcase_add_loop_test(tc, slices_come_to_the_same, 0, DISTANCE_EUCLIDEAN + 1);
    tcase_add_test(tc, what_a_condition_looks_at_counts);
    tcase_add_test(tc, each_row_costs_work);
    tcase_add_test(tc, only_what_the_filter_passes);
}

UNIT_TESTS(search_scan, add_tests)
