/* orders.c: a test of a program's data access, with the database in the same process.
 *
 *     cc orders.c $(pkg-config --cflags --libs libmockddb) -o orders && ./orders */
#include <mockddb.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct mockddb *db;

static void give_up(const char *what, const char *why)
{
    (void)fprintf(stderr, "%s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

/* Sends a request to a world; NULL is the first one. Each test may have a world of its own. */
static struct mockddb_reply call(const char *world, const char *target, const char *body)
{
    struct mockddb_request request = {.size = sizeof request,
                                      .world = world,
                                      .target = target,
                                      .body = body,
                                      .body_len = strlen(body)};
    struct mockddb_reply reply = {.size = sizeof reply};

    if (mockddb_call(db, &request, &reply) != MOCKDDB_OK)
        give_up(target, mockddb_problem(db));
    printf("%s: %d %.*s\n", target, (int)reply.status, (int)reply.body_len, reply.body);
    return reply;
}

int main(void)
{
    /* The clock is frozen: each run is the same. */
    static const char *const words[] = {"--clock", "2026-01-01T00:00:00Z,frozen"};
    const struct mockddb_options options = {
        .size = sizeof options, .words = words, .word_count = 2};
    struct mockddb_reply reply = {.size = sizeof reply};

    if (mockddb_open(&options, &db) != MOCKDDB_OK)
        give_up("mockddb_open", mockddb_problem(db));
    call(NULL, "DynamoDB_20120810.CreateTable",
         "{\"TableName\":\"Orders\",\"BillingMode\":\"PAY_PER_REQUEST\","
         "\"KeySchema\":[{\"AttributeName\":\"id\",\"KeyType\":\"HASH\"}],"
         "\"AttributeDefinitions\":[{\"AttributeName\":\"id\",\"AttributeType\":\"S\"}]}");
    call(NULL, "DynamoDB_20120810.PutItem",
         "{\"TableName\":\"Orders\",\"Item\":{\"id\":{\"S\":\"17\"},\"total\":{\"N\":\"42\"}}}");

    /* A copy for one test; what it changes, others do not see. */
    if (mockddb_fork(db, NULL, "test-1", &reply) != MOCKDDB_OK || reply.status != 200)
        give_up("mockddb_fork", mockddb_problem(db));
    call("test-1", "DynamoDB_20120810.DeleteItem",
         "{\"TableName\":\"Orders\",\"Key\":{\"id\":{\"S\":\"17\"}}}");
    call("test-1", "DynamoDB_20120810.GetItem",
         "{\"TableName\":\"Orders\",\"Key\":{\"id\":{\"S\":\"17\"}}}");
    call(NULL, "DynamoDB_20120810.GetItem",
         "{\"TableName\":\"Orders\",\"Key\":{\"id\":{\"S\":\"17\"}}}");
    mockddb_close(db);
    return EXIT_SUCCESS;
}
