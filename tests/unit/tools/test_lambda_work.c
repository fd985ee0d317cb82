#include "unit.h"

#include "stream_lambda/lambda_work.h"

#define MOST_CALLS 200

/* A function that fails from the first bad record on, reported or not. */
struct lambda_function {
    const char *bad; /* a letter for each record: x is bad */
    bool reports;    /* says which record failed */
};

static size_t find_bad(const struct lambda_function *f, const struct lambda_piece *p)
{
    size_t i = p->from;

    while (i < p->to && f->bad[i] != 'x')
        i++;
    return i;
}

/* Runs a batch to its end; what was called, as "0-4 0-2 0-1! …" (! given up). */
static const char *run(const struct lambda_function *f, const struct lambda_work_rules *rules)
{
    struct buf log = buf_in(arena);
    const struct lambda_piece *p;
    struct lambda_piece lost;
    struct lambda_work w;
    int calls = 0;

    lambda_work_begin(&w, strlen(f->bad));
    while ((p = lambda_work_next(&w)) && calls++ < MOST_CALLS) {
        size_t first = find_bad(f, p);

        buf_printf(&log, "%s%zu-%zu", log.len ? " " : "", p->from, p->to);
        if (first == p->to)
            lambda_work_succeeded(&w);
        else if (lambda_work_failed(&w, rules, f->reports ? first : p->from, &lost) ==
                 WORK_GIVEN_UP)
            buf_printf(&log, "!%zu-%zu", lost.from, lost.to);
    }
    return buf_text(&log);
}

static const struct {
    const char *bad;
    bool reports, bisect;
    int64_t max_retries;
    const char *calls;
} batches[] = {
    {"....", false, false, -1, "0-4"},
    {"..x.", false, false, 0, "0-4!0-4"},
    {"..x.", false, false, 2, "0-4 0-4 0-4!0-4"},
    /* halves until the bad record is alone; splitting is no retry */
    {"..x.", false, true, 0, "0-4 0-2 2-4 2-3!2-3 3-4"},
    {"..x.", false, true, 1, "0-4 0-2 2-4 2-3 2-3!2-3 3-4"},
    {"x", false, true, 2, "0-1 0-1 0-1!0-1"},
    {"x.x", false, true, 0, "0-3 0-2 0-1!0-1 1-2 2-3!2-3"},
    /* the records before the one that is reported are done */
    {"..x.", true, false, 0, "0-4!2-4"},
    {"..x.", true, false, 2, "0-4 2-4 2-4!2-4"},
    {"x...", true, false, 1, "0-4 0-4!0-4"},
    /* split there; then, without progress, in halves */
    {"..x.", true, true, 0, "0-4 2-4 2-3!2-3 3-4"},
    {"...x", true, true, 1, "0-4 3-4 3-4!3-4"},
    {"x...", true, true, 0, "0-4 0-2 0-1!0-1 1-2 2-4"},
    {".x.x", true, true, 0, "0-4 1-4 1-3 1-2!1-2 2-3 3-4!3-4"},
};

START_TEST(a_failed_batch_is_split_retried_and_given_up)
{
    struct lambda_function f = {batches[_i].bad, batches[_i].reports};
    struct lambda_work_rules rules = {batches[_i].bisect, batches[_i].max_retries};

    ck_assert_str_eq(run(&f, &rules), batches[_i].calls);
}
END_TEST

START_TEST(without_a_limit_a_batch_is_never_given_up)
{
    struct lambda_function f = {"x", false};
    struct lambda_work_rules rules = {.bisect = true, .max_retries = -1};

    ck_assert_ptr_null(strchr(run(&f, &rules), '!'));
}
END_TEST

START_TEST(the_largest_batch_can_be_split_to_its_last_record)
{
    static char bad[10001];
    struct lambda_function f = {bad, false};
    struct lambda_work_rules rules = {.bisect = true, .max_retries = 0};
    struct lambda_piece lost;
    struct lambda_work w;
    size_t given_up = 0;

    memset(bad, 'x', sizeof bad - 1);
    lambda_work_begin(&w, strlen(bad));
    while (lambda_work_next(&w)) {
        ck_assert_uint_eq(find_bad(&f, lambda_work_next(&w)), lambda_work_next(&w)->from);
        if (lambda_work_failed(&w, &rules, lambda_work_next(&w)->from, &lost) == WORK_GIVEN_UP) {
            ck_assert_uint_eq(lost.from, given_up++);
            ck_assert_uint_eq(lost.to, given_up);
        }
    }
    ck_assert_uint_eq(given_up, 10000);
}
END_TEST

START_TEST(counts_every_failed_call_of_a_record)
{
    struct lambda_work_rules rules = {.bisect = true, .max_retries = 1};
    struct lambda_piece lost = {0};
    struct lambda_work w;

    lambda_work_begin(&w, 4);
    ck_assert_int_eq(lambda_work_failed(&w, &rules, 0, &lost), WORK_SPLIT); /* 0-4 */
    ck_assert_int_eq(lambda_work_failed(&w, &rules, 0, &lost), WORK_SPLIT); /* 0-2 */
    ck_assert_int_eq(lambda_work_failed(&w, &rules, 0, &lost), WORK_RETRY); /* 0-1 */
    ck_assert_int_eq(lambda_work_failed(&w, &rules, 0, &lost), WORK_GIVEN_UP);
    ck_assert_uint_eq(lost.failures, 4);
}
END_TEST

START_TEST(old_records_are_skipped)
{
    struct lambda_work w;

    lambda_work_begin(&w, 4);
    lambda_work_skip(&w, 3);
    ck_assert_uint_eq(lambda_work_next(&w)->from, 3);
    lambda_work_skip(&w, 4);
    ck_assert_ptr_null(lambda_work_next(&w));
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, a_failed_batch_is_split_retried_and_given_up, 0, COUNT(batches));
    tcase_add_test(tc, without_a_limit_a_batch_is_never_given_up);
    tcase_add_test(tc, the_largest_batch_can_be_split_to_its_last_record);
    tcase_add_test(tc, counts_every_failed_call_of_a_record);
    tcase_add_test(tc, old_records_are_skipped);
}

UNIT_TESTS(lambda_work, add_tests)
