#include "unit.h"

#include "patterns/pattern_check.h"
#include "patterns/pattern_expect.h"

static const wire_node *tree_of(const char *text)
{
    const wire_node *tree = NULL;

    ck_assert_msg(!wire_parse(arena, span_of(text), &tree), "not JSON: %s", text);
    return tree;
}

#define NOTHING "{\"Items\":[],\"Count\":0}"
#define JOBS                                                                                       \
    "{\"Items\":[{\"sk\":{\"S\":\"JOB#1\"},\"n\":{\"N\":\"1\"},\"tags\":{\"SS\":[\"a\",\"b\"]}},"  \
    "{\"sk\":{\"S\":\"JOB#2\"},\"n\":{\"N\":\"10\"},\"tags\":{\"SS\":[\"b\",\"c\"]}}],"            \
    "\"Count\":2,\"Picked\":{\"sk\":{\"S\":\"JOB#2\"}},\"LastEvaluatedKey\":{\"sk\":{\"S\":\"x\"}" \
    "}}"

/* An answer, an expectation ("" for none) and the first failure (NULL: it holds). */
static const struct {
    const char *answer, *expect, *failure;
} rows[] = {
    {JOBS, "", NULL},
    {NOTHING, "", "nothing was found"},
    {NOTHING, "{\"count\":0}", NULL},
    {NOTHING, "{\"answer\":{\"/Count\":0}}", NULL},
    {JOBS, "{\"count\":2}", NULL},
    {JOBS, "{\"count\":3}", "number of items is 2, expected 3"},
    {JOBS, "{\"count\":{\"min\":1,\"max\":2}}", NULL},
    {JOBS, "{\"count\":{\"max\":1}}", "number of items is 2, expected {\"max\": 1}"},
    {JOBS, "{\"every\":{\"sk\":{\"begins_with\":\"JOB#\"},\"n\":{\"min\":1,\"max\":10}}}", NULL},
    {JOBS, "{\"every\":{\"sk\":{\"S\":\"JOB#1\"}}}",
     "item 2: sk is {\"S\": \"JOB#2\"}, expected {\"S\": \"JOB#1\"}"},
    {JOBS, "{\"every\":{\"n\":{\"max\":9.5}}}",
     "item 2: n is {\"N\": \"10\"}, expected {\"max\": 9.5}"},
    {JOBS, "{\"every\":{\"status\":{\"exists\":false},\"tags\":{\"contains\":\"b\"}}}", NULL},
    {JOBS, "{\"every\":{\"tags\":{\"contains\":\"a\"}}}",
     "item 2: tags is {\"SS\": [\"b\", \"c\"]}, expected {\"contains\": \"a\"}"},
    {JOBS, "{\"every\":{\"sk\":{\"contains\":\"#\"},\"n\":{\"type\":\"N\"}}}", NULL},
    {JOBS, "{\"every\":{\"gone\":{\"exists\":true}}}",
     "item 1: gone is nothing, expected {\"exists\": true}"},
    {JOBS, "{\"every\":{\"sk\":{\"min\":1}}}",
     "item 1: sk is {\"S\": \"JOB#1\"}, expected {\"min\": 1}"},
    {JOBS, "{\"some\":{\"n\":{\"N\":\"10.0\"}}}", NULL},
    {JOBS, "{\"some\":{\"tags\":{\"SS\":[\"c\",\"b\"]}}}", NULL},
    {JOBS, "{\"some\":{\"n\":{\"N\":\"11\"}}}", "no item has {\"n\": {\"N\": \"11\"}}"},
    {JOBS, "{\"picked\":{\"sk\":{\"S\":\"JOB#2\"}}}", NULL},
    {JOBS, "{\"picked\":{\"sk\":{\"S\":\"JOB#1\"}}}",
     "picked item: sk is {\"S\": \"JOB#2\"}, expected {\"S\": \"JOB#1\"}"},
    {NOTHING, "{\"count\":0,\"picked\":{\"sk\":{\"S\":\"a\"}}}", "no item was picked"},
    {JOBS, "{\"order\":{\"by\":\"n\"}}", NULL},
    {JOBS, "{\"order\":{\"by\":\"n\",\"descending\":true}}",
     "item 2 is out of order: n is {\"N\": \"10\"}"},
    {JOBS, "{\"order\":{\"by\":\"tags\"}}", "item 1: tags cannot be ordered"},
    {JOBS, "{\"attributes\":[\"n\",\"sk\",\"tags\"]}", NULL},
    {JOBS, "{\"attributes\":[\"n\",\"sk\"]}", "item 1 has the attribute tags too"},
    {JOBS, "{\"attributes\":[\"n\",\"sk\",\"tags\",\"x\"]}", "item 1 has no attribute x"},
    {JOBS, "{\"more\":true}", NULL},
    {JOBS, "{\"more\":false}", "there is a LastEvaluatedKey"},
    {NOTHING, "{\"count\":0,\"more\":true}", "there is no LastEvaluatedKey"},
    {JOBS, "{\"answer\":{\"/Items/1/n/N\":\"10\",\"/Count\":2}}", NULL},
    {JOBS, "{\"answer\":{\"/Count\":3}}", "/Count is 2, expected 3"},
    {JOBS, "{\"answer\":{\"/None\":3}}", "/None is nothing, expected 3"},
    {JOBS, "{\"error\":\"ValidationException\"}", "succeeded, expected ValidationException"},
    {"{\"Item\":{\"a\":{\"S\":5}}}", "{\"every\":{\"a\":{\"S\":\"5\"}}}",
     "item 1: a is {\"S\": 5}, expected {\"S\": \"5\"}"},
};

static struct pattern_step tested = {.name = "s"};

static struct pattern_step_result step_of(const char *answer)
{
    const wire_node *tree = tree_of(answer);

    return (struct pattern_step_result){.step = &tested,
                                        .answer = tree,
                                        .items = client_items_of(arena, tree),
                                        .picked = wire_get(tree, "Picked")};
}

static void assert_failure(const struct pattern_result *result, const char *failure)
{
    const char *expected = failure ? arena_printf(arena, "step s: %s", failure) : NULL;

    ck_assert_pstr_eq(result->failure_count ? result->failures[0] : NULL, expected);
}

START_TEST(holds_answers_against_expectations)
{
    const wire_node *expect = *rows[_i].expect ? tree_of(rows[_i].expect) : NULL;
    struct pattern_step_result step = step_of(rows[_i].answer);
    struct pattern_result result = {0};

    ck_assert_ptr_null(pattern_check_expect(arena, expect));
    pattern_expect_check(arena, expect, &step, &result);
    assert_failure(&result, rows[_i].failure);
}
END_TEST

static const struct {
    const char *expect, *failure;
} errors[] = {
    {"", "ValidationException: Bad key"},
    {"{\"error\":\"ValidationException\"}", NULL},
    {"{\"error\":\"ValidationException\",\"message\":\"Bad key\"}", NULL},
    {"{\"error\":\"ValidationException\",\"message\":\"Other\"}", "ValidationException: Bad key"},
    {"{\"error\":\"ResourceNotFoundException\"}", "ValidationException: Bad key"},
};

START_TEST(holds_errors_against_expectations)
{
    const wire_node *expect = *errors[_i].expect ? tree_of(errors[_i].expect) : NULL;
    struct pattern_step_result step = step_of("{}");
    struct pattern_result result = {0};

    step.error_type = SPAN_LIT("ValidationException");
    step.message = SPAN_LIT("Bad key");
    pattern_expect_check(arena, expect, &step, &result);
    assert_failure(&result, errors[_i].failure);
}
END_TEST

#define NOT_FOUND "Requested resource not found"

static const struct {
    const char *request, *message, *failure;
} missing[] = {
    {"{\"TableName\":\"Jobs\"}", NOT_FOUND, NOT_FOUND ": Jobs"},
    {"{\"RequestItems\":{\"A\":{\"Keys\":[{},{}]},\"B\":{\"Keys\":[{}]}}}", NOT_FOUND,
     NOT_FOUND ": A or B"},
    {"{\"TransactItems\":[{\"Get\":{\"TableName\":\"A\"}},{\"Get\":{\"TableName\":\"A\"}}]}",
     NOT_FOUND, NOT_FOUND ": A"},
    {"{\"Statement\":\"SELECT * FROM \\\"Jobs\\\"\"}", NOT_FOUND, NOT_FOUND ": Jobs"},
    {"{\"TableName\":\"Jobs\"}", NOT_FOUND ": Table: Jobs not found",
     NOT_FOUND ": Table: Jobs not found"},
    {"{\"BackupArn\":\"x\"}", NOT_FOUND, NOT_FOUND},
};

START_TEST(names_the_table_that_was_not_found)
{
    struct pattern_step_result step = step_of("{}");
    struct pattern_result result = {0};

    step.request = tree_of(missing[_i].request);
    step.error_type = SPAN_LIT("ResourceNotFoundException");
    step.message = span_of(missing[_i].message);
    pattern_expect_check(arena, NULL, &step, &result);
    assert_failure(&result,
                   arena_printf(arena, "ResourceNotFoundException: %s", missing[_i].failure));
}
END_TEST

static const struct {
    const char *cost, *failure;
} costs[] = {
    {"{\"index\":\"GSI\",\"read\":3,\"rcu\":0.5}", NULL},
    {"{\"rcu\":{\"max\":1}}", NULL},
    {"{\"index\":\"table\"}", "index used is GSI, expected table"},
    {"{\"read\":2}", "number of items read is 3, expected 2"},
    {"{\"rcu\":{\"min\":1}}", "read units is 0.5, expected {\"min\": 1}"},
};

START_TEST(holds_costs_against_expectations)
{
    struct pattern_step_result step = {.step = &tested, .cost = {"GSI", 3, 0.5}};
    struct pattern_result result = {0};

    pattern_expect_check_cost(arena, tree_of(costs[_i].cost), &step, &result);
    assert_failure(&result, costs[_i].failure);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, holds_answers_against_expectations, 0, COUNT(rows));
    tcase_add_loop_test(tc, holds_errors_against_expectations, 0, COUNT(errors));
    tcase_add_loop_test(tc, names_the_table_that_was_not_found, 0, COUNT(missing));
    tcase_add_loop_test(tc, holds_costs_against_expectations, 0, COUNT(costs));
}

UNIT_TESTS(pattern_expect, add_tests)
