#include "unit.h"

#include "model/vector.h"

#include <float.h>
#include <math.h>

/* --- numbers to floats ------------------------------------------------------------------------ */

static const struct {
    const char *number;
    float nearest;
} floats[] = {
    {"0", 0.0f},
    {"1", 1.0f},
    {"-1.5", -1.5f},
    {"0.1", 0.1f},
    {"16777217", 16777216.0f},
    {"16777219", 16777220.0f},
    {"0.000000000000000000000000000000000000011754943508222875", FLT_MIN},
    {"0.00000000000000000000000000000000000000000000140129846432481707", 0x1p-149f},
    {"0.0000000000000000000000000000000000000000000001", 0.0f},
    {"340282350000000000000000000000000000000", FLT_MAX},
    {"-340282350000000000000000000000000000000", -FLT_MAX},
    {"123456789.123456789", 123456789.123456789f},
    {"99999999999999999999999999999999999999", 1e38f},
    /* just above and just below half way between two floats, by more digits than a double has */
    {"1.00000005960464477539062500001", 1.00000011920928955f},
    {"1.00000005960464477539062499999", 1.0f},
    {"1.000000059604644775390625", 1.0f},
};

START_TEST(a_number_becomes_the_nearest_float)
{
    float got = -7;

    ck_assert(vector_float(span_of(floats[_i].number), &got));
    ck_assert_msg(got == floats[_i].nearest && !signbit(got) == !signbit(floats[_i].nearest),
                  "%s: %.9g, not %.9g", floats[_i].number, (double)got, (double)floats[_i].nearest);
}
END_TEST

START_TEST(numbers_beyond_floats_are_none)
{
    float unused;

    ck_assert(!vector_float(SPAN_LIT("340282360000000000000000000000000000000"), &unused));
    ck_assert(!vector_float(SPAN_LIT("-1000000000000000000000000000000000000000"), &unused));
}
END_TEST

START_TEST(numbers_of_all_lengths_are_as_the_library_reads_them)
{
    for (int round = 0; round < 20000; round++) {
        char text[64];
        size_t len = 0;
        float got, wanted;

        if (unit_random(2))
            text[len++] = '-';
        for (unsigned i = 0, digits = 1 + unit_random(12); i < digits; i++)
            text[len++] = (char)('0' + unit_random(10));
        text[len++] = '.';
        for (unsigned i = 0, digits = 1 + unit_random(25); i < digits; i++)
            text[len++] = (char)('0' + unit_random(10));
        text[len] = '\0';
        ck_assert(vector_float(span_of(text), &got));
        wanted = strtof(text, NULL);
        ck_assert_msg(got == wanted, "%s: %.9g, not %.9g", text, (double)got, (double)wanted);
    }
}
END_TEST

/* --- floats to text --------------------------------------------------------------------------- */

static const struct {
    float value;
    const char *text;
} texts[] = {
    {0.0f, "0.0"},
    {1.0f, "1.0"},
    {-1.0f, "-1.0"},
    {0.1f, "0.1"},
    {16777216.0f, "16777216.0"},
    {100.0f, "100.0"},
    {1e10f, "10000000000.0"},
    {1.5e-7f, "0.00000015"},
    {-123456789.0f, "-123456790.0"},
    {0.3333333433f, "0.33333334"},
};

START_TEST(floats_are_short_decimals_with_a_point)
{
    struct buf out = buf_in(arena);

    vector_print_float(&out, texts[_i].value);
    ck_assert_str_eq(buf_text(&out), texts[_i].text);
}
END_TEST

START_TEST(scores_are_doubles)
{
    struct buf out = buf_in(arena);

    vector_print_score(&out, 0.4f);
    ck_assert_str_eq(buf_text(&out), "0.4000000059604645");
}
END_TEST

/* --- scores ----------------------------------------------------------------------------------- */

/* Of [1, 0, 0] against each. */
static const struct {
    float at[3];
    double cosine, euclidean, dot;
} scores[] = {
    {{1, 0, 0}, 0, 0, 1},        {{.6f, .8f, 0}, 0.4, 0.894427, 0.6},
    {{0, 1, 0}, 1, 1.414214, 0}, {{-1, 0, 0}, 2, 2, -1},
    {{10, 0, 0}, 0, 9, 10},      {{0, 0, 0}, 1, 1, 0},
};

static double score_of(enum distance distance, const float *from, const float *to, size_t count)
{
    size_t padded = vector_padded(count);
    float *one = arena_array(arena, padded, sizeof *one);
    float *two = arena_array(arena, padded, sizeof *two);
    struct vector_query q;

    memcpy(one, from, count * sizeof *one);
    memcpy(two, to, count * sizeof *two);
    q = vector_query_of(arena, distance, one, count);
    return (double)vector_score(&q, two, vector_norm(two, padded));
}

START_TEST(scores_are_those_of_their_formulas)
{
    static const float from[] = {1, 0, 0};

    ck_assert_double_eq_tol(score_of(DISTANCE_COSINE, from, scores[_i].at, 3), scores[_i].cosine,
                            1e-6);
    ck_assert_double_eq_tol(score_of(DISTANCE_EUCLIDEAN, from, scores[_i].at, 3),
                            scores[_i].euclidean, 1e-6);
    ck_assert_double_eq_tol(score_of(DISTANCE_DOT_PRODUCT, from, scores[_i].at, 3), scores[_i].dot,
                            1e-6);
}
END_TEST

START_TEST(vectors_of_every_length_are_added_up_to_their_end)
{
    float one[40], two[40];

    for (size_t count = 1; count <= COUNT(one); count++) {
        double dot = 0, squares = 0, norms[2] = {0, 0};

        for (size_t i = 0; i < count; i++) {
            one[i] = (float)unit_random(2000) / 1000 - 1;
            two[i] = (float)unit_random(2000) / 1000 - 1;
            dot += (double)one[i] * (double)two[i];
            squares += ((double)one[i] - (double)two[i]) * ((double)one[i] - (double)two[i]);
            norms[0] += (double)one[i] * (double)one[i];
            norms[1] += (double)two[i] * (double)two[i];
        }
        ck_assert_double_eq_tol(score_of(DISTANCE_DOT_PRODUCT, one, two, count), dot, 1e-5);
        ck_assert_double_eq_tol(score_of(DISTANCE_EUCLIDEAN, one, two, count), sqrt(squares), 1e-5);
        if (norms[0] > 0 && norms[1] > 0)
            ck_assert_double_eq_tol(score_of(DISTANCE_COSINE, one, two, count),
                                    1 - dot / sqrt(norms[0] * norms[1]), 1e-5);
    }
}
END_TEST

START_TEST(a_score_ends_where_floats_do)
{
    static const float far[] = {3e38f, 3e38f}, back[] = {-3e38f, -3e38f};

    ck_assert_double_eq(score_of(DISTANCE_DOT_PRODUCT, far, far, 2), (double)FLT_MAX);
    ck_assert_double_eq(score_of(DISTANCE_DOT_PRODUCT, far, back, 2), -(double)FLT_MAX);
    ck_assert_double_eq(score_of(DISTANCE_EUCLIDEAN, far, back, 2), (double)FLT_MAX);
    ck_assert_double_eq(score_of(DISTANCE_COSINE, far, back, 2), 2);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, a_number_becomes_the_nearest_float, 0, COUNT(floats));
    tcase_add_test(tc, numbers_beyond_floats_are_none);
    tcase_add_test(tc, numbers_of_all_lengths_are_as_the_library_reads_them);
    tcase_add_loop_test(tc, floats_are_short_decimals_with_a_point, 0, COUNT(texts));
    tcase_add_test(tc, scores_are_doubles);
    tcase_add_loop_test(tc, scores_are_those_of_their_formulas, 0, COUNT(scores));
    tcase_add_test(tc, vectors_of_every_length_are_added_up_to_their_end);
    tcase_add_test(tc, a_score_ends_where_floats_do);
}

UNIT_TESTS(vector, add_tests)
