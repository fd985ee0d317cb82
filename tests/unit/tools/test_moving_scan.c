#include "unit.h"

#include "moving/moving_scan.h"

#define QUESTIONS 5 /* tags, and the settings that are not copied */

/* Has no setting, and answers only so many calls. */
struct silent {
    struct client client; /* first */
    size_t calls, answers;
};

static const char *call(struct client *client, struct arena *a, const char *operation,
                        struct span request, struct client_answer *out)
{
    struct silent *s = (struct silent *)client;

    (void)operation;
    (void)request;
    if (s->calls++ == s->answers)
        return "the connection broke";
    ck_assert(
        client_answer_read(a, 400, SPAN_LIT("{\"__type\":\"x#UnknownOperationException\"}"), out));
    return NULL;
}

static const struct client_transport transport = {.width = 1, .call = call};

START_TEST(a_connection_that_breaks_is_no_answer)
{
    struct silent s = {.client = {.transport = &transport}, .answers = (size_t)_i};
    struct moving_scan scan = {.client = &s.client, .table = SPAN_LIT("T01")};
    const char *problem;

    ck_assert_ptr_null(
        wire_parse(arena, SPAN_LIT("{\"TableName\":\"T01\",\"TableArn\":\"a\"}"), &scan.described));
    problem = moving_scan_schema(arena, &scan);
    if (_i < QUESTIONS) {
        ck_assert_str_eq(problem, "the connection broke");
    } else {
        ck_assert_ptr_null(problem);
        ck_assert_uint_eq(s.calls, QUESTIONS);
        ck_assert_uint_eq(scan.lacks.len, 0);
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, a_connection_that_breaks_is_no_answer, 0, QUESTIONS + 1);
}

UNIT_TESTS(moving_scan, add_tests)
