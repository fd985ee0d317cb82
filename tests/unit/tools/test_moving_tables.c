#include "unit.h"

#include "moving/moving_tables.h"

/* What --key takes. */
static const struct {
    const char *key;
    bool is_taken;
} keys[] = {
    {"pk:S", true},      {"p:N", true},      {"a:b:B", true},
    {"pk:S,sk:N", true}, {"", false},        {"S", false},
    {":S", false},       {"pk", false},      {"pk:", false},
    {"pk:BOOL", false},  {"pk:L", false},    {"pk:X", false},
    {"pk:S,", false},    {"pk:S,:N", false}, {"pk:S,sk:N,x:S", false},
};

START_TEST(a_key_has_names_and_types)
{
    const char *problem = moving_tables_set_key(moving_tables_new(arena, NULL), keys[_i].key);

    if (keys[_i].is_taken)
        ck_assert_ptr_null(problem);
    else
        ck_assert_str_eq(problem,
                         arena_printf(arena,
                                      "--key %s: expected NAME:TYPE or NAME:TYPE,NAME:TYPE with a "
                                      "type of S, N or B",
                                      keys[_i].key));
}
END_TEST

/* An endpoint that makes tables, but refuses their time to live; it notes what it is asked for. */
struct endpoint {
    struct client client; /* first */
    struct buf asked;
    bool has_table;
};

static const char *call(struct client *client, struct arena *a, const char *operation,
                        struct span request, struct client_answer *out)
{
    struct endpoint *e = (struct endpoint *)client;
    const char *answer = "{}";

    (void)request;
    buf_printf(&e->asked, "%s ", operation);
    if (strcmp(operation, "DescribeTable") == 0)
        answer = e->has_table ? "{\"Table\":{\"TableStatus\":\"ACTIVE\"}}"
                              : "{\"__type\":\"x#ResourceNotFoundException\"}";
    if (strcmp(operation, "UpdateTimeToLive") == 0)
        answer = "{\"__type\":\"x#ValidationException\",\"message\":\"no\"}";
    e->has_table = e->has_table || strcmp(operation, "CreateTable") == 0;
    ck_assert(client_answer_read(a, strstr(answer, "__type") ? 400 : 200, span_of(answer), out));
    return NULL;
}

static const char *flush(struct client *client)
{
    (void)client;
    return NULL;
}

static const struct client_transport transport = {.width = 1, .call = call, .flush = flush};

/* A table without all of its settings is deleted, unless it is on another machine. */
START_TEST(a_table_that_is_half_made_is_deleted_here)
{
    struct endpoint e = {.client = {.transport = &transport, .name = "e", .is_here = _i == 1},
                         .asked = buf_in(arena)};
    struct moving_tables *tables = moving_tables_new(arena, &e.client);

    ck_assert_str_eq(
        moving_tables_make(tables,
                           SPAN_LIT("{\"TableName\":\"Tab\",\"TimeToLiveSpecification\":{"
                                    "\"AttributeName\":\"ttl\",\"Enabled\":true}}"),
                           SPAN_LIT("Tab")),
        "UpdateTimeToLive of Tab: ValidationException: no");
    ck_assert_str_eq(
        buf_text(&e.asked),
        _i ? "DescribeTable CreateTable DescribeTable UpdateTimeToLive UpdateTable DeleteTable "
           : "DescribeTable CreateTable DescribeTable UpdateTimeToLive ");
    ck_assert_uint_eq(moving_tables_made(tables), _i ? 0 : 1);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, a_key_has_names_and_types, 0, COUNT(keys));
    tcase_add_loop_test(tc, a_table_that_is_half_made_is_deleted_here, 0, 2);
}

UNIT_TESTS(moving_tables, add_tests)
