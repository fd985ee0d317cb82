/* What observers are given of a call, with its accounts, and what a fault point does to one. */
#include "support/offline_server.h"
#include "unit.h"

#define KEY(pk) "{\"pk\":{\"S\":\"" pk "\"}}"
#define ITEM    "{\"pk\":{\"S\":\"%c\"},\"g\":{\"S\":\"g\"},\"n\":{\"N\":\"%d\"}}"

/* None of these asks for its capacity; three items a, b and c of 8 bytes are there. Accounts are
 * "name kind units [index units …] looked at/returned bytes pages". */
static const struct {
    const char *operation, *body, *accounts, *error;
} calls[] = {
    {"GetItem", "{\"TableName\":\"Table\",\"Key\":" KEY("a") "}", "Table read 0.5 1/1 8 0", NULL},
    {"GetItem", "{\"TableName\":\"Table\",\"Key\":" KEY("a") ",\"ConsistentRead\":true}",
     "Table read 1.0 1/1 8 0", NULL},
    {"GetItem", "{\"TableName\":\"Table\",\"Key\":" KEY("z") "}", "Table read 0.5 0/0 0 0", NULL},
    {"PutItem", "{\"TableName\":\"Table\",\"Item\":" KEY("z") "}", "Table write 1.0 0/0 0 0", NULL},
    {"DeleteItem", "{\"TableName\":\"Table\",\"Key\":" KEY("a") "}",
     "Table write 2.0 byG 1.0 0/0 0 0", NULL},
    {"UpdateItem",
     "{\"TableName\":\"Table\",\"Key\":" KEY(
         "a") ",\"UpdateExpression\":\"SET g = :g\","
              "\"ExpressionAttributeValues\":{\":g\":{\"S\":\"h\"}}}",
     "Table write 3.0 byG 2.0 0/0 0 0", NULL},
    {"PutItem",
     "{\"TableName\":\"Table\",\"Item\":" KEY("a") ",\"ConditionExpression\":"
                                                   "\"attribute_not_exists(pk)\"}",
     "Table write 1.0 0/0 0 0", "ConditionalCheckFailedException"},
    {"Scan",
     "{\"TableName\":\"Table\",\"FilterExpression\":\"n > :n\","
     "\"ExpressionAttributeValues\":{\":n\":{\"N\":\"2\"}}}",
     "Table read 0.5 3/1 24 1", NULL},
    {"Query",
     "{\"TableName\":\"Table\",\"IndexName\":\"byG\",\"KeyConditionExpression\":\"g = :g\","
     "\"ExpressionAttributeValues\":{\":g\":{\"S\":\"g\"}}}",
     "Table read 0.5 byG 0.5 3/3 24 1", NULL},
    {"BatchGetItem", "{\"RequestItems\":{\"Table\":{\"Keys\":[" KEY("a") "," KEY("z") "]}}}",
     "Table read 1.0 1/1 8 0", NULL},
    {"BatchWriteItem",
     "{\"RequestItems\":{\"Table\":[{\"DeleteRequest\":{\"Key\":" KEY(
         "y") "}},"
              "{\"PutRequest\":{\"Item\":" KEY("z") "}}]}}",
     "Table write 2.0 0/0 0 0", NULL},
    {"TransactGetItems",
     "{\"TransactItems\":[{\"Get\":{\"TableName\":\"Table\",\"Key\":" KEY("a") "}}]}",
     "Table read 2.0 1/1 8 0", NULL},
    {"TransactWriteItems",
     "{\"TransactItems\":[{\"Put\":{\"TableName\":\"Table\",\"Item\":" KEY(
         "z") "}},"
              "{\"Delete\":{\"TableName\":\"Table\",\"Key\":" KEY("a") "}}]}",
     "Table write 5.0 byG 1.0 0/0 0 0", NULL},
    {"ExecuteStatement", "{\"Statement\":\"SELECT * FROM \\\"Table\\\"\"}",
     "Table read 0.5 3/3 24 1", NULL},
    {"ExecuteStatement", "{\"Statement\":\"DELETE FROM \\\"Table\\\" WHERE pk = 'z'\"}",
     "Table write 1.0 0/0 0 0", NULL},
    {"BatchExecuteStatement",
     "{\"Statements\":[{\"Statement\":\"SELECT * FROM \\\"Table\\\" WHERE pk = 'a'\"}]}",
     "Table read 0.5 1/1 8 0", NULL},
    {"ListTables", "{}", "", NULL},
    {"GetItem", "{\"TableName\":\"Other\",\"Key\":" KEY("a") "}", "", "ResourceNotFoundException"},
    {"GetItem", "{\"TableName\":1}", "", "SerializationException"},
    {"GetItem", "{", "", "SerializationException"},
    {"GetThing", "{}", "", "UnknownOperationException"},
};

/* --- an observer that writes down what it is given -------------------------------------------- */

struct watcher {
    struct observer observer;
    struct buf seen;
    int count;
    int64_t later_ms; /* than the server was opened */
};

static struct offline_server server;
static struct watcher watcher;

static void write_account(struct buf *out, const struct capacity *used)
{
    buf_printf(out, "%.*s %s %.1f", SPAN_ARG(used->name), used->writes ? "write" : "read",
               capacity_total(used));
    for (size_t i = 0; i < used->table->index_count; i++)
        if (used->indexes[i].used)
            buf_printf(out, " %.*s %.1f", SPAN_ARG(used->table->indexes[i].name),
                       used->indexes[i].units);
    buf_printf(out, " %zu/%zu %zu %zu", used->items_read, used->items_returned, used->bytes_read,
               used->pages);
}

static void watch(struct observer *self, const struct call_record *record)
{
    struct watcher *w = (struct watcher *)self;

    w->count++;
    buf_printf(&w->seen, "%s|%d|%s|", record->op ? record->op->name : "-", record->status,
               record->error ? error_name(record->error->kind) : "-");
    for (const struct capacity *used = record->accounts; used; used = used->next)
        write_account(&w->seen, used);
    buf_add_char(&w->seen, '\n');
    ck_assert_int_eq(record->began_ms, OFFLINE_NOW_MS + w->later_ms);
    ck_assert_int_eq(record->took_us, 0);
    ck_assert(record->reply.len);
}

static int send(const char *operation, const char *body, struct span *answer)
{
    return offline_server_send(&server, span_of(operation), span_of(body), answer);
}

static void open_server(void)
{
    struct span answer;

    offline_server_open(&server, arena, &(struct offline_options){.seed = 1});
    ck_assert_int_eq(send("CreateTable", offline_server_table, &answer), 200);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(
            send("PutItem",
                 arena_printf(arena, "{\"TableName\":\"Table\",\"Item\":" ITEM "}", 'a' + i, i + 1),
                 &answer),
            200);
    watcher = (struct watcher){.observer.finished = watch, .seen = buf_in(arena)};
}

START_TEST(a_call_is_handed_on_with_its_accounts)
{
    const char *error = calls[_i].error, *name = calls[_i].operation;
    struct span answer;
    int status;

    open_server();
    dispatch_observe(server.dispatcher, &watcher.observer);
    status = send(name, calls[_i].body, &answer);
    ck_assert_int_eq(status, error ? 400 : 200);
    if (error && (!strcmp(error, "UnknownOperationException") || !strcmp(calls[_i].body, "{")))
        name = "-";
    ck_assert_str_eq(buf_text(&watcher.seen),
                     arena_printf(arena, "%s|%d|%s|%s\n", name, status, error ? error : "-",
                                  calls[_i].accounts));
    offline_server_close(&server);
}
END_TEST

/* The table comes to its next state within a unit that is undone, and accounts have it in hand. */
START_TEST(accounts_of_a_call_that_is_undone_have_their_table)
{
    static const char *const failing[][2] = {
        {"PutItem", "{\"TableName\":\"Table\",\"Item\":" KEY("a") ",\"ConditionExpression\":"
                                                                  "\"attribute_not_exists(pk)\"}"},
        {"TransactWriteItems",
         "{\"TransactItems\":[{\"Put\":{\"TableName\":\"Table\",\"Item\":" KEY(
             "a") ","
                  "\"ConditionExpression\":\"attribute_not_exists(pk)\"}}]}"},
    };
    struct span answer;

    open_server();
    server.settings.transition_ms = 1000;
    ck_assert_int_eq(
        send("UpdateTable",
             "{\"TableName\":\"Table\",\"BillingMode\":\"PROVISIONED\","
             "\"ProvisionedThroughput\":{\"ReadCapacityUnits\":5,\"WriteCapacityUnits\":5},"
             "\"GlobalSecondaryIndexUpdates\":[{\"Update\":{\"IndexName\":\"byG\","
             "\"ProvisionedThroughput\":{\"ReadCapacityUnits\":5,\"WriteCapacityUnits\":5}}}]}",
             &answer),
        200);
    clock_advance(server.clock, 2000);
    watcher.later_ms = 2000;
    dispatch_observe(server.dispatcher, &watcher.observer);
    ck_assert_int_eq(send(failing[_i][0], failing[_i][1], &answer), 400);
    ck_assert_ptr_nonnull(strstr(buf_text(&watcher.seen), "|Table write "));
    offline_server_close(&server);
}
END_TEST

START_TEST(an_observer_of_one_request_gets_it_alone_and_aside)
{
    struct watcher own = {.observer.finished = watch};
    struct request request = {.body = SPAN_LIT("{}"), .observer = &own.observer};
    struct span answer;
    struct reply reply;

    open_server();
    own.seen = buf_in(arena);
    request.target = dispatch_target(arena, SPAN_LIT("ListTables"));
    dispatch_observe(server.dispatcher, &watcher.observer);
    (void)send("ListTables", "{}", &answer);
    ck_assert_int_eq(own.count, 0);
    for (int aside = 0; aside < 2; aside++) {
        request.aside = aside;
        dispatch(server.dispatcher, &request, &reply);
        ck_assert_int_eq(reply.status, 200);
    }
    ck_assert_int_eq(watcher.count, 2);
    ck_assert_int_eq(own.count, 2);
    offline_server_close(&server);
}
END_TEST

START_TEST(a_call_over_its_budget_has_no_accounts)
{
    static const struct dispatch_budget none = {.work = {.bytes = 64, .steps = INT64_MAX},
                                                .reply_bytes = 1 << 20};
    struct span answer;

    open_server();
    server.budget = &none;
    offline_server_restart(&server);
    dispatch_observe(server.dispatcher, &watcher.observer);
    ck_assert_int_eq(send("Scan", "{\"TableName\":\"Table\"}", &answer), 400);
    ck_assert_int_eq(watcher.count, 1);
    ck_assert_ptr_nonnull(strstr(buf_text(&watcher.seen), "|400|ValidationException|\n"));
    offline_server_close(&server);
}
END_TEST

/* --- a fault point ---------------------------------------------------------------------------- */

struct faults {
    struct fault_point point;
    bool armed_before, armed_after;
    int befores, afters;
};

static const struct error *before(struct fault_point *self, struct call *c)
{
    struct faults *f = (struct faults *)self;

    f->befores++;
    return f->armed_before ? error_new(c->arena, ERROR_THROTTLING, "not %s", c->op->name) : NULL;
}

static const struct error *after(struct fault_point *self, struct call *c)
{
    struct faults *f = (struct faults *)self;

    f->afters++;
    return f->armed_after ? error_new(c->arena, ERROR_INTERNAL, "lost") : NULL;
}

static int items(void)
{
    const struct table *t = store_table_after(server.store, (struct span){NULL, 0});

    return (int)store_stats(server.store, t->space).entries;
}

START_TEST(a_fault_answers_in_place_of_the_operation)
{
    static const char put[] = "{\"TableName\":\"Table\",\"Item\":" KEY("z") "}";
    struct faults f = {.point = {.before = before, .after = after}, .armed_before = true};
    struct span answer;

    open_server();
    dispatch_observe(server.dispatcher, &watcher.observer);
    dispatch_set_faults(server.dispatcher, &f.point);
    ck_assert_int_eq(send("PutItem", put, &answer), 400);
    ck_assert_str_eq(arena_text(arena, answer),
                     "{\"__type\":\"com.amazonaws.dynamodb.v20120810#ThrottlingException\","
                     "\"message\":\"not PutItem\"}");
    ck_assert_int_eq(f.afters, 0);
    f.armed_before = false;
    f.armed_after = true;
    ck_assert_int_eq(send("PutItem", put, &answer), 500);
    ck_assert_int_eq(items(), 3); /* undone */
    ck_assert_int_eq(send("ListTables", "{}", &answer), 500);
    ck_assert_int_eq(send("PutItem", "{}", &answer), 400); /* is not asked about */
    ck_assert_int_eq(f.befores, 3);
    f.armed_after = false;
    ck_assert_int_eq(send("PutItem", put, &answer), 200);
    ck_assert_int_eq(items(), 4);
    dispatch_set_faults(server.dispatcher, NULL);
    ck_assert_int_eq(send("ListTables", "{}", &answer), 200);
    ck_assert_int_eq(f.befores, 4);
    ck_assert_ptr_nonnull(strstr(buf_text(&watcher.seen), "PutItem|400|ThrottlingException|\n"));
    ck_assert_int_eq(watcher.count, 6);
    offline_server_close(&server);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, a_call_is_handed_on_with_its_accounts, 0, COUNT(calls));
    tcase_add_loop_test(tc, accounts_of_a_call_that_is_undone_have_their_table, 0, 2);
    tcase_add_test(tc, an_observer_of_one_request_gets_it_alone_and_aside);
    tcase_add_test(tc, a_call_over_its_budget_has_no_accounts);
    tcase_add_test(tc, a_fault_answers_in_place_of_the_operation);
}

UNIT_TESTS(observer, add_tests)
