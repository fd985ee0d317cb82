#include "unit.h"

#include "client/client.h"

/* A transport that answers as it is told to: '-' no answer, 't' throttled, 'v' refused, '.' done.
 */
struct scripted {
    struct client client; /* first */
    const char *answers;
    size_t calls;
};

static const char *call(struct client *client, struct arena *a, const char *operation,
                        struct span request, struct client_answer *out)
{
    struct scripted *s = (struct scripted *)client;
    char what = s->answers[s->calls++];
    static const char *const bodies[] = {
        ['t'] = "{\"__type\":\"x#ThrottlingException\",\"message\":\"slowly\"}",
        ['v'] = "{\"__type\":\"x#ValidationException\"}",
        ['.'] = "{\"ConsumedCapacity\":[{\"CapacityUnits\":2},{\"CapacityUnits\":0.5}]}"};

    (void)operation;
    (void)request;
    if (what == '-')
        return "the connection broke";
    ck_assert(client_answer_read(a, what == '.' ? 200 : 400, span_of(bodies[(size_t)what]), out));
    return NULL;
}

static const char *call_all(struct client *client, struct arena *a, const char *operation,
                            const struct span *requests, size_t count, struct client_answer *out)
{
    ck_assert_uint_eq(count, 1);
    return call(client, a, operation, requests[0], out);
}

static const struct client_transport remote = {
    .width = 1, .may_pass = true, .call = call, .call_all = call_all};
static const struct client_transport here = {.width = 1, .call = call, .call_all = call_all};

enum way { ONCE, REPEAT, REPEAT_REFUSED, REPEAT_ALL, SUCCEED };

/* The answers, and how many of them a call asks for. */
static const struct {
    const struct client_transport *transport;
    enum way way;
    const char *answers;
    size_t calls;
    const char *problem;
} ways[] = {
    {&remote, ONCE, "t.", 1, NULL},
    {&remote, ONCE, "-.", 1, "the connection broke"},
    {&remote, REPEAT, "tt.", 3, NULL},
    {&remote, REPEAT, "v.", 1, NULL},
    {&remote, REPEAT, "-.", 1, "the connection broke"}, /* maybe there is no server */
    {&remote, REPEAT, "t-.", 3, NULL},
    {&remote, REPEAT, "t----.", 5, "the connection broke"},
    {&remote, REPEAT_REFUSED, "t-.", 2, "the connection broke"},
    {&remote, REPEAT_REFUSED, "tt.", 3, NULL},
    {&remote, REPEAT_ALL, "t.", 1, NULL},
    {&remote, SUCCEED, "t.", 2, NULL},
    {&remote, SUCCEED, "v.", 1, "Scan: ValidationException"},
    {&here, REPEAT, "t.", 1, NULL}, /* nothing would change meanwhile */
    {&here, SUCCEED, "t.", 1, "Scan: ThrottlingException: slowly"},
};

static const char *call_way(enum way way, struct client *c, struct client_answer *out)
{
    const struct span request = SPAN_LIT("{}");

    switch (way) {
    case ONCE:
        return client_call(c, arena, "Scan", request, out);
    case REPEAT:
        return client_repeat(c, arena, "Scan", request, out);
    case REPEAT_REFUSED:
        return client_repeat_refused(c, arena, "Scan", request, out);
    case REPEAT_ALL:
        return client_repeat_all(c, arena, "Scan", &request, 1, out);
    case SUCCEED:
    default:
        return client_succeed(c, arena, "Scan", request, out);
    }
}

START_TEST(a_call_is_repeated_where_that_may_help)
{
    struct scripted s = {.client.transport = ways[_i].transport, .answers = ways[_i].answers};
    struct client_answer answer;

    ck_assert_pstr_eq(call_way(ways[_i].way, &s.client, &answer), ways[_i].problem);
    ck_assert_uint_eq(s.calls, ways[_i].calls);
}
END_TEST

START_TEST(a_call_without_an_answer_is_repeated_after_one_with)
{
    struct scripted s = {.client.transport = &remote, .answers = ".---.----"};
    struct client_answer answer;

    ck_assert_ptr_null(call_way(REPEAT_ALL, &s.client, &answer));
    ck_assert_ptr_null(call_way(REPEAT_ALL, &s.client, &answer));
    ck_assert_uint_eq(s.calls, 5);
    ck_assert_str_eq(call_way(REPEAT_ALL, &s.client, &answer), "the connection broke");
    ck_assert_uint_eq(s.calls, 9);
}
END_TEST

START_TEST(the_pace_counts_units)
{
    struct scripted s = {.client.transport = &remote, .answers = ".t.v"};
    struct client_pace pace = {.rate = 1e6};
    struct client_answer answer;
    int64_t ready_us;

    ck_assert_ptr_null(client_pace_call(&pace, &s.client, arena, "Scan", SPAN_LIT("{}"), &answer));
    ck_assert_double_eq(pace.spent, 2.5);
    ready_us = pace.ready_us;
    ck_assert_ptr_null(client_pace_call(&pace, &s.client, arena, "Scan", SPAN_LIT("{}"), &answer));
    ck_assert_double_eq(pace.spent, 5);
    ck_assert_int_ge(pace.ready_us, ready_us + 2);
    ck_assert_ptr_nonnull(
        client_pace_call(&pace, &s.client, arena, "Scan", SPAN_LIT("{}"), &answer));
    ck_assert_double_eq(pace.spent, 5);
    client_pace_count(&pace, 1e300); /* an endpoint may send any number */
    ck_assert_int_ge(pace.ready_us, ready_us);
    client_pace_count(NULL, 1);
    client_pace_wait(NULL);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, a_call_is_repeated_where_that_may_help, 0, COUNT(ways));
    tcase_add_test(tc, a_call_without_an_answer_is_repeated_after_one_with);
    tcase_add_test(tc, the_pace_counts_units);
}

UNIT_TESTS(client, add_tests)
