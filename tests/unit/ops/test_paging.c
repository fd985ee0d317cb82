/* Pages of every size must show each item exactly once and in the order of one large page: on
 * tables, GSIs and LSIs, forwards and backwards, through ties on index keys, for Query, Scan,
 * parallel Scan and SELECT. Tables are made at random from a fixed seed. */
#include "support/offline_server.h"
#include "unit.h"

#define PARTITIONS 3
#define ITEMS      40

static struct offline_server server;

static unsigned pick(unsigned below)
{
    uint32_t word;

    clock_random(server.clock, &word, sizeof word);
    return word % below;
}

static const wire_node *send(const char *operation, struct span body)
{
    const wire_node *answer = NULL;
    struct span text;
    int status = offline_server_send(&server, span_of(operation), body, &text);

    ck_assert_msg(status == 200, "%s %.*s: %.*s", operation, SPAN_ARG(body), SPAN_ARG(text));
    ck_assert_ptr_null(wire_parse(arena, text, &answer));
    return answer;
}

static void create_table(void)
{
    send("CreateTable",
         SPAN_LIT("{\"TableName\":\"Pages\",\"BillingMode\":\"PAY_PER_REQUEST\","
                  "\"AttributeDefinitions\":[{\"AttributeName\":\"pk\",\"AttributeType\":\"S\"},"
                  "{\"AttributeName\":\"sk\",\"AttributeType\":\"B\"},"
                  "{\"AttributeName\":\"g\",\"AttributeType\":\"S\"},"
                  "{\"AttributeName\":\"n\",\"AttributeType\":\"N\"}],"
                  "\"KeySchema\":[{\"AttributeName\":\"pk\",\"KeyType\":\"HASH\"},"
                  "{\"AttributeName\":\"sk\",\"KeyType\":\"RANGE\"}],"
                  "\"LocalSecondaryIndexes\":[{\"IndexName\":\"local\",\"KeySchema\":["
                  "{\"AttributeName\":\"pk\",\"KeyType\":\"HASH\"},"
                  "{\"AttributeName\":\"n\",\"KeyType\":\"RANGE\"}],"
                  "\"Projection\":{\"ProjectionType\":\"KEYS_ONLY\"}}],"
                  "\"GlobalSecondaryIndexes\":[{\"IndexName\":\"hash\",\"KeySchema\":["
                  "{\"AttributeName\":\"g\",\"KeyType\":\"HASH\"}],"
                  "\"Projection\":{\"ProjectionType\":\"ALL\"}},"
                  "{\"IndexName\":\"both\",\"KeySchema\":["
                  "{\"AttributeName\":\"g\",\"KeyType\":\"HASH\"},"
                  "{\"AttributeName\":\"n\",\"KeyType\":\"RANGE\"}],"
                  "\"Projection\":{\"ProjectionType\":\"ALL\"}}]}"));
}

/* In the order of their bytes, and of their values. */
static const char *const binaries[] = {"AA==", "AAA=", "AAD/", "AQ==", "AQAB", "fw==", "/w=="};
static const char *const numbers[] = {"-1", "0", "0.5", "1", "100"};

/* What was put last at each primary key; g and n are -1 where absent. */
static struct record {
    bool there;
    int g, n;
} records[PARTITIONS][COUNT(binaries)];

static void put_items(void)
{
    memset(records, 0, sizeof records);
    for (int i = 0; i < ITEMS; i++) {
        unsigned pk = pick(PARTITIONS), sk = pick(COUNT(binaries));
        struct record r = {true, (int)pick(3) - 1, (int)pick(COUNT(numbers) + 1) - 1};
        struct buf body = buf_in(arena);

        buf_printf(&body, "{\"TableName\":\"Pages\",\"Item\":{\"pk\":{\"S\":\"p%u\"},", pk);
        buf_printf(&body, "\"sk\":{\"B\":\"%s\"}", binaries[sk]);
        if (r.g >= 0)
            buf_printf(&body, ",\"g\":{\"S\":\"g%d\"}", r.g);
        if (r.n >= 0)
            buf_printf(&body, ",\"n\":{\"N\":\"%s\"}", numbers[r.n]);
        buf_add_text(&body, "}}");
        send("PutItem", buf_span(&body));
        records[pk][sk] = r;
    }
}

static void open_server(uint64_t seed)
{
    offline_server_open(&server, arena, &(struct offline_options){.seed = seed});
    create_table();
    put_items();
}

/* An item as the test sees it: which it is, and its rank by the sort key that was read by. */
struct seen {
    unsigned pk, sk;
    int n;
};

static unsigned find(const char *const *list, size_t count, struct span text)
{
    for (unsigned i = 0; i < count; i++)
        if (span_is(text, list[i]))
            return i;
    ck_abort_msg("unknown value %.*s", SPAN_ARG(text));
}

static struct seen look_at(const wire_node *item)
{
    const wire_node *n = wire_get(wire_get(item, "n"), "N");

    return (struct seen){
        .pk = (unsigned)(wire_text(wire_get(wire_get(item, "pk"), "S")).at[1] - '0'),
        .sk = find(binaries, COUNT(binaries), wire_text(wire_get(wire_get(item, "sk"), "B"))),
        .n = n ? (int)find(numbers, COUNT(numbers), wire_text(n)) : -1,
    };
}

static bool same(struct seen a, struct seen b)
{
    return a.pk == b.pk && a.sk == b.sk;
}

struct listing {
    struct seen at[ITEMS + 1];
    size_t len;
};

static void add_key(struct buf *out, const wire_node *key)
{
    static const char *const names[] = {"pk", "sk", "g", "n"};
    static const char *const types[] = {"S", "B", "S", "N"};
    bool first = true;

    buf_add_char(out, '{');
    for (size_t i = 0; i < COUNT(names); i++) {
        const wire_node *value = wire_get(key, names[i]);

        if (!value)
            continue;
        buf_printf(out, "%s\"%s\":{\"%s\":\"%.*s\"}", first ? "" : ",", names[i], types[i],
                   SPAN_ARG(wire_text(wire_get(value, types[i]))));
        first = false;
    }
    buf_add_char(out, '}');
}

/* The request for the page behind a position; NULL: the first one. */
static struct span page_request(bool is_statement, const char *parameters, unsigned limit,
                                const wire_node *position)
{
    struct buf body = buf_in(arena);

    buf_printf(&body, "{%s%s\"Limit\":%u", is_statement ? "" : "\"TableName\":\"Pages\",",
               parameters, limit);
    if (position && is_statement) {
        buf_printf(&body, ",\"NextToken\":\"%.*s\"", SPAN_ARG(wire_text(position)));
    } else if (position) {
        buf_add_text(&body, ",\"ExclusiveStartKey\":");
        add_key(&body, position);
    }
    buf_add_char(&body, '}');
    return buf_span(&body);
}

/* Reads everything, `limit` items at a time. */
static void read_pages(const char *operation, const char *parameters, unsigned limit,
                       struct listing *out)
{
    bool is_statement = strcmp(operation, "ExecuteStatement") == 0;
    const wire_node *position = NULL;

    out->len = 0;
    do {
        const wire_node *answer = send(operation,
                                       page_request(is_statement, parameters, limit, position));

        ck_assert_uint_le(wire_count(wire_get(answer, "Items")), limit);
        for (const wire_node *n = wire_first(wire_get(answer, "Items")); n; n = wire_next(n)) {
            ck_assert_uint_lt(out->len, ITEMS + 1);
            out->at[out->len++] = look_at(n);
        }
        position = wire_get(answer, is_statement ? "NextToken" : "LastEvaluatedKey");
    } while (position);
}

static void check_all_limits(const char *operation, const char *parameters, size_t expected)
{
    struct listing whole, paged;

    read_pages(operation, parameters, ITEMS + 1, &whole);
    ck_assert_uint_eq(whole.len, expected);
    for (size_t i = 0; i < whole.len; i++)
        for (size_t k = 0; k < i; k++)
            ck_assert(!same(whole.at[i], whole.at[k]));
    for (unsigned limit = 1; limit <= whole.len + 1; limit++) {
        read_pages(operation, parameters, limit, &paged);
        ck_assert_uint_eq(paged.len, whole.len);
        for (size_t i = 0; i < whole.len; i++)
            ck_assert_msg(same(paged.at[i], whole.at[i]), "%s %s, Limit %u: item %zu differs",
                          operation, parameters, limit, i);
    }
}

/* How many items a table or index holds: all partitions (pk, g: -1), or one of them. */
static size_t count_records(bool needs_g, bool needs_n, int pk, int g)
{
    size_t count = 0;

    for (int p = 0; p < PARTITIONS; p++)
        for (size_t s = 0; s < COUNT(binaries); s++) {
            const struct record *r = &records[p][s];

            count += r->there && (!needs_g || r->g >= 0) && (!needs_n || r->n >= 0) &&
                     (pk < 0 || p == pk) && (g < 0 || r->g == g);
        }
    return count;
}

static const struct {
    const char *index; /* member of the request, or "" for the table */
    const char *key;   /* condition on the partition key */
    bool needs_g, needs_n;
    int pk, g;
} queried[] = {
    {"", "pk = p0", false, false, 0, -1},
    {"", "pk = p2", false, false, 2, -1},
    {"\"IndexName\":\"local\",", "pk = p0", false, true, 0, -1},
    {"\"IndexName\":\"local\",", "pk = p1", false, true, 1, -1},
    {"\"IndexName\":\"hash\",", "g = g0", true, false, -1, 0},
    {"\"IndexName\":\"both\",", "g = g0", true, true, -1, 0},
    {"\"IndexName\":\"both\",", "g = g1", true, true, -1, 1},
};

/* By the sort key: sk on the table, n on the indexes that have it, nothing on the others. */
static void check_order(const char *parameters, bool by_n, bool by_sk, bool backwards)
{
    struct listing whole;

    read_pages("Query", parameters, ITEMS + 1, &whole);
    for (size_t i = 1; i < whole.len; i++) {
        const struct seen *before = &whole.at[backwards ? i : i - 1];
        const struct seen *after = &whole.at[backwards ? i - 1 : i];

        if (by_n)
            ck_assert_int_le(before->n, after->n);
        if (by_sk)
            ck_assert_uint_lt(before->sk, after->sk);
    }
}

START_TEST(query_pages_show_each_item_once_and_in_order) /* _i: row and direction */
{
    size_t row = (size_t)_i / 2;
    bool backwards = _i % 2;
    const char *parameters = arena_printf(
        arena,
        "%s\"KeyConditionExpression\":\"%.*s:v\",\"ScanIndexForward\":%s,"
        "\"ExpressionAttributeValues\":{\":v\":{\"S\":\"%s\"}},",
        queried[row].index, (int)strcspn(queried[row].key, "=") + 2, queried[row].key,
        backwards ? "false" : "true", queried[row].key + strlen(queried[row].key) - 2);

    for (uint64_t seed = 1; seed <= 4; seed++) {
        open_server(seed);
        check_all_limits("Query", parameters,
                         count_records(queried[row].needs_g, queried[row].needs_n, queried[row].pk,
                                       queried[row].g));
        check_order(parameters, queried[row].needs_n, !*queried[row].index, backwards);
        offline_server_close(&server);
    }
}
END_TEST

static const struct {
    const char *index;
    bool needs_g, needs_n;
} scanned[] = {
    {"", false, false},
    {"\"IndexName\":\"local\",", false, true},
    {"\"IndexName\":\"hash\",", true, false},
    {"\"IndexName\":\"both\",", true, true},
};

static size_t count_scanned(int row)
{
    return count_records(scanned[row].needs_g, scanned[row].needs_n, -1, -1);
}

START_TEST(scan_pages_show_each_item_once_and_in_order)
{
    open_server(5);
    check_all_limits("Scan", scanned[_i].index, count_scanned(_i));
    offline_server_close(&server);
}
END_TEST

START_TEST(segments_hold_each_item_once_between_them)
{
    struct listing whole, part;

    open_server(6);
    read_pages("Scan", scanned[_i].index, ITEMS + 1, &whole);
    for (unsigned total = 1; total <= 9; total++) {
        size_t seen = 0;

        for (unsigned segment = 0; segment < total; segment++) {
            const char *parameters = arena_printf(arena, "%s\"Segment\":%u,\"TotalSegments\":%u,",
                                                  scanned[_i].index, segment, total);

            read_pages("Scan", parameters, ITEMS + 1, &part);
            check_all_limits("Scan", parameters, part.len);
            for (size_t i = 0; i < part.len; i++, seen++)
                ck_assert(same(part.at[i], whole.at[seen])); /* segments follow the order */
        }
        ck_assert_uint_eq(seen, count_scanned(_i));
    }
    offline_server_close(&server);
}
END_TEST

/* Statements, and which items they find: of some partitions of pk, or of g. */
static const struct {
    const char *statement;
    bool needs_g, needs_n;
    unsigned pks, gs; /* sets of partitions; 0: not asked for */
} selected[] = {
    {"FROM Pages", false, false, 0, 0},
    {"FROM Pages WHERE pk = 'p1'", false, false, 2, 0},
    {"FROM Pages WHERE pk IN ['p2', 'p0']", false, false, 5, 0},
    {"FROM Pages WHERE pk IN ['p2', 'p0', 'p1'] ORDER BY pk DESC", false, false, 7, 0},
    {"FROM Pages WHERE pk = 'p2' OR pk = 'p1' ORDER BY pk, sk ASC", false, false, 6, 0},
    {"FROM Pages WHERE pk = 'p0' ORDER BY sk DESC", false, false, 1, 0},
    {"FROM \\\"Pages\\\".\\\"local\\\"", false, true, 0, 0},
    {"FROM \\\"Pages\\\".\\\"local\\\" WHERE pk IN ['p0', 'p1']", false, true, 3, 0},
    {"FROM \\\"Pages\\\".\\\"hash\\\" WHERE g IN ['g1', 'g0']", true, false, 0, 3},
    {"FROM \\\"Pages\\\".\\\"both\\\" WHERE g IN ['g1', 'g0'] ORDER BY g, n DESC", true, true, 0,
     3},
    {"FROM \\\"Pages\\\".\\\"both\\\" WHERE g = 'g0' ORDER BY n", true, true, 0, 1},
};

static size_t count_selected(int row)
{
    bool of_g = selected[row].gs != 0;
    unsigned set = of_g ? selected[row].gs : selected[row].pks;
    size_t count = 0;

    if (!set)
        return count_records(selected[row].needs_g, selected[row].needs_n, -1, -1);
    for (int i = 0; set >> i; i++)
        if (set >> i & 1)
            count += count_records(selected[row].needs_g, selected[row].needs_n, of_g ? -1 : i,
                                   of_g ? i : -1);
    return count;
}

START_TEST(select_pages_show_each_item_once_and_in_order)
{
    for (uint64_t seed = 7; seed <= 9; seed++) {
        open_server(seed);
        check_all_limits(
            "ExecuteStatement",
            arena_printf(arena, "\"Statement\":\"SELECT pk, sk, n %s\",", selected[_i].statement),
            count_selected(_i));
        offline_server_close(&server);
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, query_pages_show_each_item_once_and_in_order, 0,
                        (int)COUNT(queried) * 2);
    tcase_add_loop_test(tc, scan_pages_show_each_item_once_and_in_order, 0, (int)COUNT(scanned));
    tcase_add_loop_test(tc, select_pages_show_each_item_once_and_in_order, 0, (int)COUNT(selected));
    tcase_add_loop_test(tc, segments_hold_each_item_once_between_them, 0, (int)COUNT(scanned));
}

UNIT_TESTS(paging, add_tests)
