/* After any sequence of writes the indexes hold exactly what the items say, with the right sizes
 * and counts; and a write that was refused has changed nothing. Requests are made at random from a
 * fixed seed, a good part of them wrong. */
#include "model/key.h"
#include "store/cursor.h"
#include "support/offline_server.h"
#include "unit.h"

#define REQUESTS 400

static struct offline_server server;

static unsigned pick(unsigned below)
{
    uint32_t word;

    clock_random(server.clock, &word, sizeof word);
    return word % below;
}

static int send(const char *operation, struct span body)
{
    struct span answer;
    int status = offline_server_send(&server, span_of(operation), body, &answer);

    ck_assert_msg(status == 200 || status == 400, "%s %.*s: %.*s", operation, SPAN_ARG(body),
                  SPAN_ARG(answer));
    return status;
}

static void open_server(uint64_t seed)
{
    offline_server_open(&server, arena, &(struct offline_options){.seed = seed});
    ck_assert_int_eq(
        200,
        send(
            "CreateTable",
            SPAN_LIT("{\"TableName\":\"Items\",\"BillingMode\":\"PAY_PER_REQUEST\","
                     "\"AttributeDefinitions\":[{\"AttributeName\":\"pk\",\"AttributeType\":\"S\"},"
                     "{\"AttributeName\":\"sk\",\"AttributeType\":\"N\"},"
                     "{\"AttributeName\":\"a\",\"AttributeType\":\"S\"},"
                     "{\"AttributeName\":\"b\",\"AttributeType\":\"N\"}],"
                     "\"KeySchema\":[{\"AttributeName\":\"pk\",\"KeyType\":\"HASH\"},"
                     "{\"AttributeName\":\"sk\",\"KeyType\":\"RANGE\"}],"
                     "\"LocalSecondaryIndexes\":[{\"IndexName\":\"local\",\"KeySchema\":["
                     "{\"AttributeName\":\"pk\",\"KeyType\":\"HASH\"},"
                     "{\"AttributeName\":\"b\",\"KeyType\":\"RANGE\"}],"
                     "\"Projection\":{\"ProjectionType\":\"ALL\"}}],"
                     "\"GlobalSecondaryIndexes\":[{\"IndexName\":\"all\",\"KeySchema\":["
                     "{\"AttributeName\":\"a\",\"KeyType\":\"HASH\"},"
                     "{\"AttributeName\":\"b\",\"KeyType\":\"RANGE\"}],"
                     "\"Projection\":{\"ProjectionType\":\"ALL\"}},"
                     "{\"IndexName\":\"keys\",\"KeySchema\":["
                     "{\"AttributeName\":\"b\",\"KeyType\":\"HASH\"}],"
                     "\"Projection\":{\"ProjectionType\":\"KEYS_ONLY\"}},"
                     "{\"IndexName\":\"some\",\"KeySchema\":["
                     "{\"AttributeName\":\"a\",\"KeyType\":\"HASH\"}],"
                     "\"Projection\":{\"ProjectionType\":\"INCLUDE\","
                     "\"NonKeyAttributes\":[\"x\"]}}]}")));
}

/* --- requests --------------------------------------------------------------------------------- */

/* Values of an attribute; the last ones are of a type that the indexes refuse. */
static const char *const values_a[] = {"{\"S\":\"x\"}", "{\"S\":\"y\"}", "{\"S\":\"x\"}",
                                       "{\"N\":\"1\"}"};
static const char *const values_b[] = {"{\"N\":\"1\"}", "{\"N\":\"1.0\"}", "{\"N\":\"-20\"}",
                                       "{\"L\":[]}"};
static const char *const values_x[] = {"{\"S\":\"\"}", "{\"S\":\"long enough\"}", "{\"N\":\"1\"}",
                                       "{\"M\":{}}"};

static void add_key(struct buf *out)
{
    buf_printf(out, "\"pk\":{\"S\":\"p%u\"},\"sk\":{\"N\":\"%u\"}", pick(2), pick(3));
}

static void add_attribute(struct buf *out, const char *name, const char *const *values)
{
    if (pick(3))
        buf_printf(out, ",\"%s\":%s", name, values[pick(20) ? pick(3) : 3]);
}

static void add_item(struct buf *out)
{
    buf_add_char(out, '{');
    add_key(out);
    add_attribute(out, "a", values_a);
    add_attribute(out, "b", values_b);
    add_attribute(out, "x", values_x);
    add_attribute(out, "y", values_x);
    buf_add_char(out, '}');
}

static void add_condition(struct buf *out)
{
    if (!pick(3))
        buf_add_text(out, ",\"ConditionExpression\":\"attribute_exists(a)\"");
    if (!pick(3))
        buf_add_text(out, ",\"ReturnConsumedCapacity\":\"INDEXES\"");
}

static void put_body(struct buf *out)
{
    buf_add_text(out, "{\"TableName\":\"Items\",\"Item\":");
    add_item(out);
    add_condition(out);
    buf_add_char(out, '}');
}

static void add_key_member(struct buf *out)
{
    buf_add_text(out, "\"Key\":{");
    add_key(out);
    buf_add_char(out, '}');
}

static void delete_body(struct buf *out)
{
    buf_add_text(out, "{\"TableName\":\"Items\",");
    add_key_member(out);
    add_condition(out);
    buf_add_char(out, '}');
}

static void update_body(struct buf *out)
{
    static const char *const updates[] = {
        "SET a = :a", "SET b = :b REMOVE x",  "SET x = :x, y = :x", "REMOVE a, y",
        "REMOVE b",   "SET a = :a, m.n = :a", "ADD b :b",           "SET x = a",
    };
    const char *update = updates[pick(COUNT(updates))];

    buf_add_text(out, "{\"TableName\":\"Items\",");
    add_key_member(out);
    add_condition(out);
    buf_printf(out, ",\"UpdateExpression\":\"%s\"", update);
    if (strstr(update, ":a"))
        buf_printf(out, ",\"ExpressionAttributeValues\":{\":a\":%s}", values_a[pick(4)]);
    else if (strstr(update, ":b"))
        buf_printf(out, ",\"ExpressionAttributeValues\":{\":b\":%s}", values_b[pick(4)]);
    else if (strstr(update, ":x"))
        buf_printf(out, ",\"ExpressionAttributeValues\":{\":x\":%s}", values_x[pick(4)]);
    buf_add_char(out, '}');
}

static void batch_body(struct buf *out)
{
    unsigned count = 1 + pick(3);

    buf_add_text(out, "{\"RequestItems\":{\"Items\":[");
    for (unsigned i = 0; i < count; i++) {
        buf_add_text(out, i ? "," : "");
        if (pick(3)) {
            buf_add_text(out, "{\"PutRequest\":{\"Item\":");
            add_item(out);
            buf_add_text(out, "}}");
        } else {
            buf_add_text(out, "{\"DeleteRequest\":{");
            add_key_member(out);
            buf_add_text(out, "}}");
        }
    }
    buf_add_text(out, "]}}");
}

static const struct {
    const char *operation;
    void (*body)(struct buf *out);
} requests[] = {
    {"PutItem", put_body},
    {"UpdateItem", update_body},
    {"DeleteItem", delete_body},
    {"BatchWriteItem", batch_body},
};

/* --- what must be true ------------------------------------------------------------------------ */

struct rows {
    struct store_row at[64];
    size_t len;
};

/* All entries of a space, copied. */
static void read_space(uint32_t space, struct rows *out)
{
    struct buf low = buf_in(arena), high = buf_in(arena);
    struct store_range range = {.backwards = false};
    struct cursor *cursor;
    struct store_row row;
    struct unit *unit;

    key_of_space(&low, space);
    key_of_space(&high, space);
    ck_assert(key_next(&high));
    range.low = buf_span(&low);
    range.high = buf_span(&high);
    out->len = 0;
    ck_assert_ptr_null(unit_begin(server.store, arena, UNIT_READS, &unit));
    cursor = cursor_open(unit, range);
    while (!cursor_next(cursor, &row) && row.found) {
        row.key = arena_span(arena, row.key);
        row.body = arena_span(arena, row.body);
        out->at[out->len++] = row;
    }
    ck_assert_ptr_null(unit_keep(unit));
}

static const struct table *items_table(void)
{
    return store_table(server.store, SPAN_LIT("Items"));
}

static const struct store_row *find_row(const struct rows *rows, struct span key)
{
    for (size_t i = 0; i < rows->len; i++)
        if (span_equal(rows->at[i].key, key))
            return &rows->at[i];
    return NULL;
}

static void check_stats(uint32_t space, const struct rows *rows)
{
    struct space_stats stats = store_stats(server.store, space);
    int64_t bytes = 0;

    for (size_t i = 0; i < rows->len; i++)
        bytes += (int64_t)rows->at[i].size;
    ck_assert_int_eq(stats.entries, (int64_t)rows->len);
    ck_assert_int_eq(stats.bytes, bytes);
}

static void check_index(const struct index *ix, const struct rows *items)
{
    struct rows entries;
    size_t expected = 0;

    read_space(ix->space, &entries);
    for (size_t i = 0; i < items->len; i++) {
        struct item it = item_decode(arena, items->at[i].body);
        struct buf key = buf_in(arena);
        const struct store_row *entry;
        struct item part;

        if (!key_of_entry(&key, items_table(), ix, &it))
            continue;
        expected++;
        ck_assert_ptr_nonnull(entry = find_row(&entries, buf_span(&key)));
        part = schema_project(arena, items_table(), ix, &it);
        ck_assert(span_equal(entry->body, items->at[i].body));
        ck_assert_uint_eq(entry->size, item_size(&part));
    }
    ck_assert_uint_eq(entries.len, expected);
    check_stats(ix->space, &entries);
}

static void check_all(struct rows *items)
{
    const struct table *t = items_table();

    read_space(t->space, items);
    for (size_t i = 0; i < items->len; i++) {
        struct item it = item_decode(arena, items->at[i].body);

        ck_assert_uint_eq(items->at[i].size, item_size(&it));
    }
    check_stats(t->space, items);
    for (size_t i = 0; i < t->index_count; i++)
        check_index(&t->indexes[i], items);
}

static bool same_rows(const struct rows *a, const struct rows *b)
{
    bool same = a->len == b->len;

    for (size_t i = 0; same && i < a->len; i++)
        same = span_equal(a->at[i].key, b->at[i].key) && span_equal(a->at[i].body, b->at[i].body);
    return same;
}

START_TEST(indexes_follow_and_refused_writes_leave_no_trace)
{
    struct rows before, after;
    unsigned refused = 0;

    open_server((uint64_t)_i + 1);
    check_all(&before);
    for (unsigned i = 0; i < REQUESTS; i++) {
        unsigned kind = pick(COUNT(requests));
        struct buf body = buf_in(arena);
        int status;

        requests[kind].body(&body);
        status = send(requests[kind].operation, buf_span(&body));
        check_all(&after);
        refused += status != 200;
        if (status != 200)
            ck_assert_msg(same_rows(&before, &after), "%s changed something: %.*s",
                          requests[kind].operation, SPAN_ARG(buf_span(&body)));
        before = after;
    }
    ck_assert_uint_gt(refused, REQUESTS / 20);
    ck_assert_uint_lt(refused, REQUESTS / 2);
    offline_server_close(&server);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, indexes_follow_and_refused_writes_leave_no_trace, 0, 4);
}

UNIT_TESTS(change, add_tests)
