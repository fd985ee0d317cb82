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

/* --- what a schema has, and what it lacks ----------------------------------------------------- */

/* The answers of a table with settings of every kind; its tags are in two pages. */
static const struct {
    const char *operation, *with, *answer; /* `with` is a part of the request */
} answers[] = {
    {"ListTagsOfResource", "NextToken", "{\"Tags\":[{\"Key\":\"b\",\"Value\":\"2\"}]}"},
    {"ListTagsOfResource", "\"arn\"",
     "{\"Tags\":[{\"Key\":\"a\",\"Value\":\"1\"},{\"Key\":\"aws:x\",\"Value\":\"y\"}],"
     "\"NextToken\":\"next\"}"},
    {"GetResourcePolicy", "\"ResourceArn\":\"arn\"", "{\"Policy\":\"{}\"}"},
    {"DescribeContinuousBackups", "\"TableName\":\"T01\"",
     "{\"ContinuousBackupsDescription\":{\"PointInTimeRecoveryDescription\":{"
     "\"PointInTimeRecoveryStatus\":\"ENABLED\"}}}"},
    {"ListContributorInsights", "\"TableName\":\"T01\"",
     "{\"ContributorInsightsSummaries\":[{\"ContributorInsightsStatus\":\"DISABLED\"},"
     "{\"ContributorInsightsStatus\":\"ENABLED\"}]}"},
    {"DescribeKinesisStreamingDestination", "\"TableName\":\"T01\"",
     "{\"KinesisDataStreamDestinations\":[{\"DestinationStatus\":\"ACTIVE\"}]}"},
};

static const char *answer_call(struct client *client, struct arena *a, const char *operation,
                               struct span request, struct client_answer *out)
{
    (void)client;
    for (size_t i = 0; i < COUNT(answers); i++)
        if (strcmp(operation, answers[i].operation) == 0 &&
            strstr(arena_text(a, request), answers[i].with)) {
            ck_assert(client_answer_read(a, 200, span_of(answers[i].answer), out));
            return NULL;
        }
    ck_abort_msg("%s %.*s", operation, SPAN_ARG(request));
}

static const struct client_transport answering = {.width = 1, .call = answer_call};

START_TEST(a_schema_has_the_tags_and_names_what_it_lacks)
{
    static const char table[] =
        "{\"TableName\":\"T01\",\"TableArn\":\"arn\",\"SSEDescription\":{\"Status\":\"ENABLED\","
        "\"SSEType\":\"KMS\",\"KMSMasterKeyArn\":\"arn:aws:kms:us-east-1:1:key/k\"}}";
    struct client client = {.transport = &answering};
    struct moving_scan scan = {.client = &client, .table = SPAN_LIT("T01")};

    ck_assert_ptr_null(wire_parse(arena, SPAN_LIT(table), &scan.described));
    ck_assert_ptr_null(moving_scan_schema(arena, &scan));
    ck_assert_ptr_nonnull(strstr(arena_text(arena, scan.schema),
                                 "\"Tags\":[{\"Key\":\"a\",\"Value\":\"1\"},"
                                 "{\"Key\":\"b\",\"Value\":\"2\"}]"));
    ck_assert_span_eq(scan.lacks, "the KMS key, tags of AWS, a resource policy, point-in-time "
                                  "recovery, contributor insights, Kinesis destinations");
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_schema_has_the_tags_and_names_what_it_lacks);
    tcase_add_loop_test(tc, a_connection_that_breaks_is_no_answer, 0, QUESTIONS + 1);
}

UNIT_TESTS(moving_scan, add_tests)
