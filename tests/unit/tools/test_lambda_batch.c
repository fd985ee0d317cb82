#include "unit.h"

#include "stream_lambda/lambda_event.h"
#include "stream_lambda/lambda_queue.h"
#include "stream_lambda/lambda_response.h"
#include "wire/json.h"

/* --- records as events ------------------------------------------------------------------------ */

static const struct {
    const char *record, *event;
} events[] = {
    {"{\"eventID\":\"1\",\"dynamodb\":{\"SizeBytes\":26,\"ApproximateCreationDateTime\":1.5e9}}",
     "{\"eventID\":\"1\",\"dynamodb\":{\"SizeBytes\":26,\"ApproximateCreationDateTime\":1.5e9},"
     "\"eventSourceARN\":\"arn\"}"},
    {"{\"userIdentity\":{\"PrincipalId\":\"dynamodb.amazonaws.com\",\"Type\":\"Service\"}}",
     "{\"userIdentity\":{\"principalId\":\"dynamodb.amazonaws.com\",\"type\":\"Service\"},"
     "\"eventSourceARN\":\"arn\"}"},
    {"{}", "{\"eventSourceARN\":\"arn\"}"},
};

START_TEST(records_are_given_the_functions_form)
{
    const wire_node *record = NULL, *actual = NULL, *expected = NULL;
    struct span text;

    ck_assert(json_parse(arena, span_of(events[_i].record), &record));
    text = lambda_event_record(arena, record, SPAN_LIT("arn"));
    ck_assert(json_parse(arena, text, &actual));
    ck_assert(json_parse(arena, span_of(events[_i].event), &expected));
    ck_assert_msg(json_equal(actual, expected), "%.*s", SPAN_ARG(text));
}
END_TEST

/* --- batches ---------------------------------------------------------------------------------- */

static void add_records(struct lambda_queue *q, size_t count, size_t size, int64_t now_ms)
{
    struct lambda_page *page = lambda_queue_page();

    for (size_t i = 0; i < count; i++) {
        struct lambda_record record = {
            .event = {arena_alloc(lambda_queue_page_arena(page), size), size}};

        lambda_queue_add(q, page, &record, now_ms);
    }
    lambda_queue_page_close(page);
}

static const struct {
    size_t queued, record_size;
    int64_t waited_ms;
    bool at_end;
    size_t batch;
} queues[] = {
    {0, 100, 5000, false, 0},     {1, 100, 0, false, 0},     {9, 100, 4999, false, 0},
    {9, 100, 5000, false, 9},     {9, 100, 0, true, 9},      {10, 100, 0, false, 10},
    {11, 100, 0, false, 10},      {3, 3000000, 0, false, 2}, /* 6 MB are full … */
    {2, 3000000, 4999, false, 0},                            /* … or not yet */
    {1, 7000000, 5000, false, 1},                            /* a record alone always fits */
};

START_TEST(a_batch_is_full_or_has_waited)
{
    struct lambda_batch_rules rules = {.size = 10, .window_ms = 5000};
    struct lambda_queue q = {.len = 0};

    add_records(&q, queues[_i].queued, queues[_i].record_size, 1000);
    ck_assert_uint_eq(
        lambda_queue_batch(&q, &rules, 1000 + queues[_i].waited_ms, queues[_i].at_end),
        queues[_i].batch);
    lambda_queue_drop(&q, q.len, 0);
}
END_TEST

START_TEST(what_is_left_begins_to_wait_anew)
{
    struct lambda_batch_rules rules = {.size = 10, .window_ms = 5000};
    struct lambda_queue q = {.len = 0};

    add_records(&q, 7, 10, 1000);
    add_records(&q, 7, 10, 2000);
    ck_assert_uint_eq(lambda_queue_batch(&q, &rules, 2000, false), 10);
    lambda_queue_drop(&q, 10, 3000);
    ck_assert_uint_eq(q.len, 4);
    ck_assert_uint_eq(lambda_queue_batch(&q, &rules, 7999, false), 0);
    ck_assert_uint_eq(lambda_queue_batch(&q, &rules, 8000, false), 4);
    lambda_queue_drop(&q, 4, 0);
    ck_assert_ptr_null(q.first);
}
END_TEST

/* --- answers ---------------------------------------------------------------------------------- */

#define FAILURES(list) "{\"batchItemFailures\":[" list "]}"
#define FAILURE(id)    "{\"itemIdentifier\":\"" id "\"}"

/* To a batch of records 100, 101 and 102; failed 3: none of them did. */
static const struct {
    const char *answer;
    size_t failed;
    const char *problem;
} answers[] = {
    {"", 3, NULL},
    {" \n", 3, NULL},
    {"null", 3, NULL},
    {"\"\"", 3, NULL},
    {"{}", 3, NULL},
    {"{\"statusCode\":200}", 3, NULL},
    {"{\"batchItemFailures\":null}", 3, NULL},
    {FAILURES(""), 3, NULL},
    {FAILURES(FAILURE("101")), 1, NULL},
    {FAILURES(FAILURE("102") "," FAILURE("100")), 0, NULL},
    {FAILURES(FAILURE("")), 0, "an element of batchItemFailures has no itemIdentifier"},
    {FAILURES("{\"itemIdentifier\":null}"), 0,
     "an element of batchItemFailures has no itemIdentifier"},
    {FAILURES("{\"itemIdentifier\":101}"), 0,
     "an element of batchItemFailures has no itemIdentifier"},
    {FAILURES("{\"itemidentifier\":\"101\"}"), 0,
     "an element of batchItemFailures has no itemIdentifier"},
    {FAILURES("\"101\""), 0, "an element of batchItemFailures has no itemIdentifier"},
    {FAILURES("null"), 0, "an element of batchItemFailures has no itemIdentifier"},
    {FAILURES(FAILURE("101") "," FAILURE("103")), 0,
     "itemIdentifier 103 is not a record of the batch"},
    {"{\"batchItemFailures\":{}}", 0, "batchItemFailures is not a list"},
    {"done", 0, "its answer is not JSON"},
    {"\"done\"", 0, "its answer is a string"},
    {"[]", 0, "its answer is an array"},
    {"true", 0, "its answer is a boolean"},
};

START_TEST(answers_say_from_where_to_go_on)
{
    struct lambda_record records[] = {{.sequence = SPAN_LIT("100")},
                                      {.sequence = SPAN_LIT("101")},
                                      {.sequence = SPAN_LIT("102")}};
    const struct lambda_record *const batch[] = {&records[0], &records[1], &records[2]};
    size_t failed = 0;

    ck_assert_pstr_eq(lambda_response_read(arena, span_of(answers[_i].answer), batch, 3, &failed),
                      answers[_i].problem);
    if (!answers[_i].problem)
        ck_assert_uint_eq(failed, answers[_i].failed);
}
END_TEST

/* A NUL is no white space. */
START_TEST(an_answer_of_other_bytes_is_no_answer)
{
    struct lambda_record record = {.sequence = SPAN_LIT("100")};
    const struct lambda_record *const batch[] = {&record};
    size_t failed;

    ck_assert_str_eq(lambda_response_read(arena, (struct span){"\0\0", 2}, batch, 1, &failed),
                     "its answer is not JSON");
}
END_TEST

static const struct {
    const char *answer, *message;
} errors[] = {
    {"{\"errorType\":\"KeyError\",\"errorMessage\":\"'id'\"}", "KeyError: 'id'"},
    {"{\"errorMessage\":\"timed out\"}", "timed out"},
    {"{\"errorType\":\"Runtime.ExitError\"}", "Runtime.ExitError"},
    {"{\"batchItemFailures\":[]}", NULL},
    {"{\"errorMessage\":null}", NULL},
    {"\"errorMessage\"", NULL},
    {"null", NULL},
    {"", NULL},
};

START_TEST(error_objects_of_runtimes_are_known)
{
    const char *message = NULL;

    ck_assert(lambda_response_is_error(arena, span_of(errors[_i].answer), &message) ==
              (errors[_i].message != NULL));
    ck_assert_pstr_eq(message, errors[_i].message);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, records_are_given_the_functions_form, 0, COUNT(events));
    tcase_add_loop_test(tc, a_batch_is_full_or_has_waited, 0, COUNT(queues));
    tcase_add_test(tc, what_is_left_begins_to_wait_anew);
    tcase_add_loop_test(tc, answers_say_from_where_to_go_on, 0, COUNT(answers));
    tcase_add_test(tc, an_answer_of_other_bytes_is_no_answer);
    tcase_add_loop_test(tc, error_objects_of_runtimes_are_known, 0, COUNT(errors));
}

UNIT_TESTS(lambda_batch, add_tests)
