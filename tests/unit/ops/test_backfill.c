/* An index that is added to a table with items ends up as one that was there from the start,
 * whatever is written while it is filled, and across restarts. Every write goes to two tables; one
 * of them has the index from the start. */
#include "model/key.h"
#include "store/cursor.h"
#include "support/offline_server.h"
#include "unit.h"

#define ITEMS  1700
#define WRITES 40 /* after each slice */

static struct offline_server server;

static void send(const char *operation, const char *body)
{
    struct span answer;
    int status = offline_server_send(&server, span_of(operation), span_of(body), &answer);

    ck_assert_msg(status == 200, "%s %s: %.*s", operation, body, SPAN_ARG(answer));
}

#define A_DEFINED                                        \
    "{\"AttributeName\":\"a\",\"AttributeType\":\"S\"}," \
    "{\"AttributeName\":\"n\",\"AttributeType\":\"N\"}"
#define INDEX                                                                \
    "{\"IndexName\":\"gsi\",\"Projection\":{\"ProjectionType\":\"INCLUDE\"," \
    "\"NonKeyAttributes\":[\"x\"]},\"KeySchema\":["                          \
    "{\"AttributeName\":\"a\",\"KeyType\":\"HASH\"},"                        \
    "{\"AttributeName\":\"n\",\"KeyType\":\"RANGE\"}]}"

static void create_table(const char *name, bool indexed)
{
    send("CreateTable",
         arena_printf(arena,
                      "{\"TableName\":\"%s\",\"BillingMode\":\"PAY_PER_REQUEST\","
                      "\"KeySchema\":[{\"AttributeName\":\"pk\",\"KeyType\":\"HASH\"}],"
                      "\"AttributeDefinitions\":[%s"
                      "{\"AttributeName\":\"pk\",\"AttributeType\":\"S\"}]%s}",
                      name, indexed ? A_DEFINED "," : "",
                      indexed ? ",\"GlobalSecondaryIndexes\":[" INDEX "]" : ""));
}

static void open_server(void)
{
    offline_server_open(&server, arena, &(struct offline_options){.seed = 1});
    create_table("Before", true);
    create_table("After", false);
}

/* Some items have both index keys, some have one; `misfit` gives one that is of another type. */
static void put_into(const char *table, unsigned key, unsigned kind, const char *misfit)
{
    const char *a = kind % 7 < 2 ? misfit : kind % 7 < 5 ? "\"a\":{\"S\":\"v\"}," : "";
    const char *n = kind % 5 ? arena_printf(arena, "\"n\":{\"N\":\"%u\"},", kind % 5) : "";

    send("PutItem", arena_printf(arena,
                                 "{\"TableName\":\"%s\",\"Item\":{\"pk\":{\"S\":\"%u\"},%s%s"
                                 "\"x\":{\"S\":\"%.*s\"},\"y\":{\"S\":\"y\"}}}",
                                 table, key, a, n, (int)(kind % 11), "xxxxxxxxxxx"));
}

/* An index that is there refuses misfits; one that comes later leaves them out. */
static void put(unsigned key, bool misfits)
{
    unsigned kind = unit_random(0);

    put_into("Before", key, kind, "");
    put_into("After", key, kind,
             !misfits   ? ""
             : kind % 2 ? "\"a\":{\"N\":\"1\"},"
                        : "\"a\":{\"S\":\"\"},");
}

static void write_at_random(void)
{
    static const char *const tables[] = {"Before", "After"};
    unsigned key = unit_random(ITEMS * 3 / 2), what = unit_random(3);

    if (what == 0) {
        put(key, false);
        return;
    }
    for (size_t i = 0; i < COUNT(tables); i++)
        send(what == 1 ? "DeleteItem" : "UpdateItem",
             arena_printf(arena, "{\"TableName\":\"%s\",\"Key\":{\"pk\":{\"S\":\"%u\"}}%s}",
                          tables[i], key,
                          what == 1 ? ""
                                    : ",\"UpdateExpression\":\"SET a = :a ADD n :n\","
                                      "\"ExpressionAttributeValues\":{\":a\":{\"S\":\"w\"},"
                                      "\":n\":{\"N\":\"1\"}}"));
}

static const struct index *index_of(const char *table)
{
    return schema_find_index(store_table(server.store, span_of(table)), SPAN_LIT("gsi"));
}

struct rows {
    struct store_row at[ITEMS * 2];
    size_t len;
};

static const struct rows *rows_of(const char *table)
{
    struct rows *rows = arena_alloc(arena, sizeof *rows);
    struct buf low = buf_in(arena), high = buf_in(arena);
    struct store_range range;
    struct cursor *cursor;
    struct unit *unit;
    bool found = true;

    key_of_space(&low, index_of(table)->space);
    key_of_space(&high, index_of(table)->space + 1);
    range = (struct store_range){.low = buf_span(&low), .high = buf_span(&high)};
    ck_assert_ptr_null(unit_begin(server.store, arena, UNIT_READS, &unit));
    cursor = cursor_open(unit, range);
    for (; found; rows->len += found) {
        struct store_row *row = &rows->at[rows->len];

        ck_assert_ptr_null(cursor_next(cursor, row));
        if ((found = row->found)) {
            row->key = arena_span(arena, row->key);
            row->body = arena_span(arena, row->body);
        }
    }
    ck_assert_ptr_null(unit_keep(unit));
    return rows;
}

/* Keys but for their space, sizes, items, and the sums. */
static void check_same(void)
{
    const struct rows *before = rows_of("Before"), *after = rows_of("After");
    struct space_stats stats = store_stats(server.store, index_of("After")->space);
    int64_t bytes = 0;

    ck_assert_uint_eq(after->len, before->len);
    for (size_t i = 0; i < after->len; i++) {
        struct item one = item_decode(arena, before->at[i].body);
        struct item other = item_decode(arena, after->at[i].body);

        ck_assert(span_equal(span_from(before->at[i].key, KEY_SPACE_LEN),
                             span_from(after->at[i].key, KEY_SPACE_LEN)));
        ck_assert_uint_eq(after->at[i].size, before->at[i].size);
        ck_assert(item_equal(&one, &other));
        bytes += (int64_t)after->at[i].size;
    }
    ck_assert_int_eq(stats.entries, (int64_t)after->len);
    ck_assert_int_eq(stats.bytes, bytes);
}

static void add_index(void)
{
    send("UpdateTable", "{\"TableName\":\"After\",\"AttributeDefinitions\":[" A_DEFINED "],"
                        "\"GlobalSecondaryIndexUpdates\":[{\"Create\":" INDEX "}]}");
}

static void fill_tables(void)
{
    for (unsigned i = 0; i < ITEMS; i++)
        put(i, true);
}

START_TEST(a_filled_index_is_as_one_from_the_start)
{
    open_server();
    fill_tables();
    add_index();
    ck_assert_int_eq(index_of("After")->status, STATUS_CREATING);
    do {
        for (int i = 0; i < WRITES; i++)
            write_at_random();
        /* The work goes on from the catalog. All jobs have to be idle once in the end. */
        if (unit_random(2) && index_of("After")->status == STATUS_CREATING)
            offline_server_restart(&server);
    } while (dispatch_idle(server.dispatcher));
    ck_assert_int_eq(index_of("After")->status, STATUS_ACTIVE);
    check_same();
    for (int i = 0; i < 200; i++)
        write_at_random();
    check_same();
    ck_assert_uint_eq(store_table(server.store, SPAN_LIT("After"))->ttl_space, 0);
    offline_server_close(&server);
}
END_TEST

START_TEST(an_index_deleted_half_way_leaves_nothing)
{
    uint32_t space;

    open_server();
    fill_tables();
    add_index();
    space = index_of("After")->space;
    ck_assert_int_gt(store_stats(server.store, space).entries, 0);
    send("UpdateTable", "{\"TableName\":\"After\",\"GlobalSecondaryIndexUpdates\":"
                        "[{\"Delete\":{\"IndexName\":\"gsi\"}}]}");
    ck_assert_int_eq(store_stats(server.store, space).entries, 0);
    ck_assert_ptr_null(index_of("After"));
    for (int i = 0; i < 200; i++)
        write_at_random();
    add_index();
    while (dispatch_idle(server.dispatcher))
        ;
    check_same();
    offline_server_close(&server);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_filled_index_is_as_one_from_the_start);
    tcase_add_test(tc, an_index_deleted_half_way_leaves_nothing);
}

UNIT_TESTS(backfill, add_tests)
