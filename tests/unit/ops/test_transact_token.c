/* Tokens are forgotten once their ten minutes are over, the dead ones among many that live, in
 * slices of the work between requests. */
#include "model/key.h"
#include "support/offline_server.h"
#include "unit.h"

#define MANY      ((int64_t)2500) /* more than a slice looks at */
#define MINUTE_MS ((int64_t)60 * 1000)

static struct offline_server server;

static void send(const char *operation, const char *body)
{
    struct span answer;
    int status = offline_server_send(&server, span_of(operation), span_of(body), &answer);

    ck_assert_msg(status == 200, "%s %s: %.*s", operation, body, SPAN_ARG(answer));
}

/* Half of them by each operation; the numbers are mixed, as the tokens of SDKs are. */
static void use_tokens(const char *name)
{
    for (unsigned i = 0; i < MANY; i++) {
        const char *token = arena_printf(arena, "%u-%s", i * 2654435761U, name);

        if (i % 2)
            send("TransactWriteItems",
                 arena_printf(arena,
                              "{\"ClientRequestToken\":\"%s\",\"TransactItems\":[{\"Delete\":"
                              "{\"TableName\":\"T01\",\"Key\":{\"pk\":{\"S\":\"a\"}}}}]}",
                              token));
        else
            send("ExecuteTransaction",
                 arena_printf(arena,
                              "{\"ClientRequestToken\":\"%s\",\"TransactStatements\":[{"
                              "\"Statement\":\"DELETE FROM T01 WHERE pk = 'a'\"}]}",
                              token));
    }
}

static void pass(int64_t ms)
{
    clock_advance(server.clock, ms);
    while (dispatch_idle(server.dispatcher))
        continue;
}

static int64_t kept(void)
{
    return store_stats(server.store, KEY_SPACE_TOKENS).entries;
}

static void open_server(void)
{
    offline_server_open(&server, arena, &(struct offline_options){.seed = 1});
    send("CreateTable", "{\"TableName\":\"T01\",\"BillingMode\":\"PAY_PER_REQUEST\","
                        "\"AttributeDefinitions\":[{\"AttributeName\":\"pk\","
                        "\"AttributeType\":\"S\"}],\"KeySchema\":[{\"AttributeName\":\"pk\","
                        "\"KeyType\":\"HASH\"}]}");
}

START_TEST(dead_tokens_go_and_living_ones_stay)
{
    open_server();
    use_tokens("first");
    pass(6 * MINUTE_MS);
    use_tokens("second");
    ck_assert_int_eq(kept(), 2 * MANY);
    pass(3 * MINUTE_MS);
    ck_assert_int_eq(kept(), 2 * MANY);
    pass(2 * MINUTE_MS);
    ck_assert_int_eq(kept(), MANY);
    use_tokens("third");
    pass(10 * MINUTE_MS);
    ck_assert_int_eq(kept(), 0);
    use_tokens("first");
    ck_assert_int_eq(kept(), MANY);
    pass(11 * MINUTE_MS);
    ck_assert_int_eq(kept(), 0);
    offline_server_close(&server);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, dead_tokens_go_and_living_ones_stay);
}

UNIT_TESTS(transact_token, add_tests)
