/* Whatever is written, in whatever way, each change of an item has exactly one record, all of an
 * item's records lie in one shard, and they are in order: each begins with the image that the one
 * before ended with. Requests are made at random from a fixed seed. */
#include "support/offline_server.h"
#include "unit.h"
#include "wire/wire_body.h"

#define REQUESTS   1500
#define PARTITIONS 40
#define ITEMS      3 /* of a partition */

static struct offline_server server;

static unsigned pick(unsigned below)
{
    uint32_t word;

    clock_random(server.clock, &word, sizeof word);
    return word % below;
}

static const wire_node *send(const char *operation, const char *body)
{
    const wire_node *answer = NULL;
    struct span text;
    int status = offline_server_send(&server, span_of(operation), span_of(body), &text);

    ck_assert_msg(status == 200 || strstr(arena_text(arena, text), "#Transaction"), "%s %s: %.*s",
                  operation, body, SPAN_ARG(text));
    ck_assert_ptr_null(wire_parse(arena, text, &answer));
    return answer;
}

static void open_server(uint32_t shards)
{
    struct offline_options options = {.seed = shards, .settings = {.stream_shards = shards}};

    offline_server_open(&server, arena, &options);
    send("CreateTable",
         "{\"TableName\":\"Items\",\"BillingMode\":\"PAY_PER_REQUEST\","
         "\"AttributeDefinitions\":[{\"AttributeName\":\"pk\",\"AttributeType\":\"S\"},"
         "{\"AttributeName\":\"sk\",\"AttributeType\":\"N\"}],"
         "\"KeySchema\":[{\"AttributeName\":\"pk\",\"KeyType\":\"HASH\"},"
         "{\"AttributeName\":\"sk\",\"KeyType\":\"RANGE\"}],"
         "\"StreamSpecification\":{\"StreamEnabled\":true,"
         "\"StreamViewType\":\"NEW_AND_OLD_IMAGES\"}}");
}

/* --- writes, and what they should leave ---------------------------------------------------------
 *
 * An item has a value v, -1 where there is no item. */

struct target {
    unsigned pk, sk;
};

static int values[PARTITIONS][ITEMS];
static size_t changes; /* all that made a difference */

static const char *key_of(struct target t)
{
    return arena_printf(arena, "\"pk\":{\"S\":\"p%u\"},\"sk\":{\"N\":\"%u\"}", t.pk, t.sk);
}

static struct target pick_target(void)
{
    return (struct target){pick(PARTITIONS), pick(ITEMS)};
}

static void set_value(struct target t, int value)
{
    changes += values[t.pk][t.sk] != value;
    values[t.pk][t.sk] = value;
}

static void put(void)
{
    struct target t = pick_target();
    int value = (int)pick(3);

    send("PutItem",
         arena_printf(arena, "{\"TableName\":\"Items\",\"Item\":{%s,\"v\":{\"N\":\"%d\"}}}",
                      key_of(t), value));
    set_value(t, value);
}

static void update(void)
{
    struct target t = pick_target();
    int value = (int)pick(3);

    send("UpdateItem",
         arena_printf(arena,
                      "{\"TableName\":\"Items\",\"Key\":{%s},\"UpdateExpression\":\"SET v = :v\""
                      ",\"ExpressionAttributeValues\":{\":v\":{\"N\":\"%d\"}}}",
                      key_of(t), value));
    set_value(t, value);
}

static void delete (void)
{
    struct target t = pick_target();

    send("DeleteItem", arena_printf(arena, "{\"TableName\":\"Items\",\"Key\":{%s}}", key_of(t)));
    set_value(t, -1);
}

static void batch(void)
{
    struct target a = {pick(PARTITIONS), 0}, b = {pick(PARTITIONS), 1};
    int value = (int)pick(3);

    send("BatchWriteItem",
         arena_printf(arena,
                      "{\"RequestItems\":{\"Items\":[{\"PutRequest\":{\"Item\":{%s,\"v\":{\"N\":"
                      "\"%d\"}}}},{\"DeleteRequest\":{\"Key\":{%s}}}]}}",
                      key_of(a), value, key_of(b)));
    set_value(a, value);
    set_value(b, -1);
}

/* Half of them fail, and leave nothing. */
static void transact(void)
{
    struct target a = {pick(PARTITIONS), 0}, b = {pick(PARTITIONS), 1}, c = {pick(PARTITIONS), 2};
    int value = (int)pick(3);
    bool holds = pick(2);

    send("TransactWriteItems",
         arena_printf(
             arena,
             "{\"TransactItems\":[{\"Put\":{\"TableName\":\"Items\",\"Item\":{%s,\"v\":{\"N\":"
             "\"%d\"}}}},{\"Delete\":{\"TableName\":\"Items\",\"Key\":{%s}}},{\"ConditionCheck\""
             ":{\"TableName\":\"Items\",\"Key\":{%s},\"ConditionExpression\":"
             "\"attribute_%sexists(nothing)\"}}]}",
             key_of(a), value, key_of(b), key_of(c), holds ? "not_" : ""));
    if (holds) {
        set_value(a, value);
        set_value(b, -1);
    }
}

static void write_items(void)
{
    void (*const ways[])(void) = {put, update, delete, batch, transact};

    memset(values, -1, sizeof values);
    changes = 0;
    for (int i = 0; i < REQUESTS; i++)
        ways[pick(COUNT(ways))]();
}

/* --- reading it back -------------------------------------------------------------------------- */

static struct {
    int value;      /* as the last record left it */
    unsigned shard; /* where its records are, from 1; 0: none was seen yet */
} seen[PARTITIONS][ITEMS];
static size_t records;
static const char *last_event; /* each has an id of its own */

/* Of a text such as 12 or p12; -1 where there is none. */
static int number_in(struct span text)
{
    const char *digits = text.len ? strpbrk(arena_text(arena, text), "0123456789") : NULL;

    return digits ? (int)strtol(digits, NULL, 10) : -1;
}

static int number_at(const wire_node *item, const char *name, const char *type)
{
    return number_in(wire_text(wire_get(wire_get(item, name), type)));
}

static void take_record(const wire_node *record, unsigned shard)
{
    const wire_node *change = wire_get(record, "dynamodb"), *key = wire_get(change, "Keys");
    int pk = number_at(key, "pk", "S"), sk = number_at(key, "sk", "N");
    int before = number_at(wire_get(change, "OldImage"), "v", "N");
    int after = number_at(wire_get(change, "NewImage"), "v", "N");

    const char *event = arena_text(arena, wire_text(wire_get(record, "eventID")));

    ck_assert(!last_event || strcmp(event, last_event) != 0);
    last_event = event;
    records++;
    ck_assert_int_eq(before, seen[pk][sk].value);
    ck_assert_int_ne(before, after);
    ck_assert_span_eq(wire_text(wire_get(record, "eventName")), before < 0  ? "INSERT"
                                                                : after < 0 ? "REMOVE"
                                                                            : "MODIFY");
    ck_assert(!seen[pk][sk].shard || seen[pk][sk].shard == shard);
    seen[pk][sk].value = after;
    seen[pk][sk].shard = shard;
}

static void read_shard(const char *arn, const char *id, unsigned shard)
{
    const wire_node *answer = send("GetShardIterator",
                                   arena_printf(arena,
                                                "{\"StreamArn\":\"%s\",\"ShardId\":\"%s\","
                                                "\"ShardIteratorType\":\"TRIM_HORIZON\"}",
                                                arn, id));
    const char *iterator = arena_text(arena, wire_text(wire_get(answer, "ShardIterator")));
    struct span last = {NULL, 0};
    const wire_node *record;

    do {
        answer = send("GetRecords",
                      arena_printf(arena, "{\"ShardIterator\":\"%s\",\"Limit\":7}", iterator));
        iterator = arena_text(arena, wire_text(wire_get(answer, "NextShardIterator")));
        record = wire_first(wire_get(answer, "Records"));
        for (; record; record = wire_next(record)) {
            struct span number = wire_text(
                wire_get(wire_get(record, "dynamodb"), "SequenceNumber"));

            ck_assert_int_lt(span_compare(last, number), 0);
            last = number;
            take_record(record, shard);
        }
    } while (wire_first(wire_get(answer, "Records")));
}

static void read_stream(uint32_t shards)
{
    const wire_node *answer = send("ListStreams", "{}"), *shard;
    const char *arn = arena_text(
        arena, wire_text(wire_get(wire_first(wire_get(answer, "Streams")), "StreamArn")));
    unsigned count = 0;

    memset(seen, -1, sizeof seen);
    for (size_t i = 0; i < (size_t)PARTITIONS * ITEMS; i++)
        seen[i / ITEMS][i % ITEMS].shard = 0;
    records = 0;
    last_event = NULL;
    answer = send("DescribeStream", arena_printf(arena, "{\"StreamArn\":\"%s\"}", arn));
    shard = wire_first(wire_get(wire_get(answer, "StreamDescription"), "Shards"));
    for (; shard; shard = wire_next(shard))
        read_shard(arn, arena_text(arena, wire_text(wire_get(shard, "ShardId"))), ++count);
    ck_assert_uint_eq(count, shards);
}

static const uint32_t shard_counts[] = {1, 2, 5, 100};

START_TEST(each_change_has_one_record_in_its_items_shard_in_order)
{
    open_server(shard_counts[_i]);
    write_items();
    read_stream(shard_counts[_i]);
    ck_assert_uint_eq(records, changes);
    for (unsigned pk = 0; pk < PARTITIONS; pk++) {
        for (unsigned sk = 0; sk < ITEMS; sk++)
            ck_assert_int_eq(seen[pk][sk].value, values[pk][sk]);
    }
    offline_server_close(&server);
}
END_TEST

START_TEST(a_partition_is_in_one_shard_and_all_shards_are_used)
{
    bool used[6] = {false};

    open_server(5);
    write_items();
    read_stream(5);
    for (unsigned pk = 0; pk < PARTITIONS; pk++) {
        for (unsigned sk = 0; sk < ITEMS; sk++) {
            used[seen[pk][sk].shard] = true;
            ck_assert_uint_eq(seen[pk][sk].shard, seen[pk][0].shard);
        }
    }
    for (unsigned shard = 1; shard <= 5; shard++)
        ck_assert(used[shard]);
    offline_server_close(&server);
}
END_TEST

static int64_t count_stored(uint32_t space)
{
    while (dispatch_idle(server.dispatcher))
        continue;
    return store_stats(server.store, space).entries;
}

/* The work between requests deletes old records, also when no request follows. */
START_TEST(records_are_deleted_after_their_day_without_a_request)
{
    uint32_t space;

    open_server(2);
    space = store_table(server.store, SPAN_LIT("Items"))->stream_space;
    for (int hour = 0; hour < 3; hour++) {
        send("PutItem", arena_printf(arena,
                                     "{\"TableName\":\"Items\",\"Item\":{\"pk\":{\"S\":\"a\"},"
                                     "\"sk\":{\"N\":\"%d\"}}}",
                                     hour));
        clock_advance(server.clock, LIMIT_HOUR_MS);
    }
    clock_advance(server.clock, LIMIT_DAY_MS - 3 * LIMIT_HOUR_MS);
    for (int left = 3; left; left--) {
        ck_assert_int_eq(count_stored(space), left);
        clock_advance(server.clock, 10 * LIMIT_SECOND_MS);
        ck_assert_int_eq(count_stored(space), left - 1);
        clock_advance(server.clock, LIMIT_HOUR_MS - 10 * LIMIT_SECOND_MS);
    }
    offline_server_close(&server);
}
END_TEST

/* A stream that was opened under another account is listed under its ARN of today, and the list
 * continues behind it. */
START_TEST(streams_of_another_account_are_listed_page_by_page)
{
    static const char *const streamed =
        ",\"StreamSpecification\":{\"StreamEnabled\":true,\"StreamViewType\":\"KEYS_ONLY\"}";
    const char *last = "";

    offline_server_open(&server, arena, &(struct offline_options){.seed = 1});
    for (int i = 0; i < 3; i++)
        send("CreateTable",
             offline_server_table_of(arena, arena_printf(arena, "Old%d", i), streamed));
    server.settings.account = SPAN_LIT("999999999999");
    for (int i = 0; i < 3; i++) {
        const wire_node *answer = send("ListStreams", arena_printf(arena, "{\"Limit\":1%s}", last));
        const wire_node *stream = wire_first(wire_get(answer, "Streams"));
        struct span arn = wire_text(wire_get(stream, "StreamArn"));

        ck_assert(span_equal(wire_text(wire_get(stream, "TableName")),
                             span_of(arena_printf(arena, "Old%d", i))));
        ck_assert(span_starts_with(arn, SPAN_LIT("arn:aws:dynamodb:us-east-1:999999999999:")));
        ck_assert(!wire_get(answer, "LastEvaluatedStreamArn") == (i == 2));
        last = arena_printf(arena, ",\"ExclusiveStartStreamArn\":\"%.*s\"", SPAN_ARG(arn));
    }
    offline_server_close(&server);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, records_are_deleted_after_their_day_without_a_request);
    tcase_add_loop_test(tc, each_change_has_one_record_in_its_items_shard_in_order, 0,
                        COUNT(shard_counts));
    tcase_add_test(tc, a_partition_is_in_one_shard_and_all_shards_are_used);
    tcase_add_test(tc, streams_of_another_account_are_listed_page_by_page);
}

UNIT_TESTS(stream, add_tests)
