/* The journal: what it keeps, what it shows and hides, and what assertions make of it. */
#include "journal/assertions.h"
#include "journal/journal_show.h"
#include "unit_table.h"

static const char *const masks[] = {"secret"};
static struct journal *journal;

static int send(const char *operation, const char *body)
{
    struct span answer;

    return offline_server_send(&server, span_of(operation), span_of(body), &answer);
}

static void open_journal(const struct journal_options *options)
{
    unit_open_table("");
    ck_assert_int_eq(send("PutItem", "{" T ",\"Item\":{\"pk\":{\"S\":\"a\"},\"g\":{\"S\":\"g\"},"
                                     "\"n\":{\"N\":\"1\"}}}"),
                     200);
    journal = journal_new(options);
    dispatch_observe(server.dispatcher, journal_observer(journal));
}

static void close_journal(void)
{
    offline_server_close(&server);
    journal_free(journal);
}

static const char *shown_with(uint64_t id, bool whole)
{
    struct buf out = buf_in(arena);

    journal_show(arena, journal, SPAN_LIT("w"), journal_find(journal, id), whole, &out);
    return buf_text(&out);
}

static const char *shown(uint64_t id)
{
    return shown_with(id, false);
}

/* --- an entry --------------------------------------------------------------------------------- */

#define HEAD(operation, status)                                                                    \
    "{\"id\":1,\"time\":\"2023-11-14T22:13:20.000Z\",\"took_us\":0,\"world\":\"w\",\"operation\":" \
    "\"" operation "\",\"status\":" #status
#define COST(read, write, consumed, looked, returned, pages)                       \
    ",\"read_units\":" read ",\"write_units\":" write ",\"consumed\":[" consumed   \
    "],\"items_read\":" looked ",\"items_returned\":" returned ",\"pages\":" pages \
    ",\"unprocessed\":0"
#define READ(units) "{\"table\":\"Tab\",\"kind\":\"read\",\"table_units\":" units "}"
#define NOTHING     COST("0", "0", "", "0", "0", "0")

static const struct {
    const char *operation, *body, *entry;
} entries[] = {
    {"GetItem", "{" T ",\"Key\":" KEY("a") "}",
     HEAD("GetItem", 200) ",\"table\":\"Tab\",\"key\":" KEY("a") ",\"expressions\":{}" COST(
         "0.5", "0", READ("0.5"), "1", "1", "0") "}"},
    {"Query",
     "{" T ",\"IndexName\":\"byG\",\"KeyConditionExpression\":\"#g = :g\",\"FilterExpression\":"
     "\"n > :n\",\"ExpressionAttributeNames\":{\"#g\":\"g\"},\"ExpressionAttributeValues\":"
     "{\":g\":{\"S\":\"g\"},\":n\":{\"N\":\"2\"}}}",
     HEAD("Query", 200) ",\"table\":\"Tab\",\"index\":\"byG\",\"expressions\":{"
                        "\"KeyConditionExpression\":\"g = \\\"g\\\"\",\"FilterExpression\":"
                        "\"n > 2\"}" COST("0.5", "0",
                                          "{\"table\":\"Tab\",\"kind\":\"read\",\"table_units\":0,"
                                          "\"index_units\":{\"byG\":0.5}}",
                                          "1", "0", "1") "}"},
    {"PutItem", "{" T ",\"Item\":{\"pk\":{\"S\":\"b\"},\"n\":{\"N\":\"1\"}}}",
     HEAD("PutItem", 200) ",\"table\":\"Tab\",\"key\":" KEY("b") ",\"expressions\":{}" COST(
         "0", "1",
         "{\"table\":\"Tab\",\"kind\":\"write\","
         "\"table_units\":1}",
         "0", "0", "0") "}"},
    {"ExecuteStatement",
     "{\"Statement\":\"SELECT * FROM Tab WHERE pk = ? AND n <> ? AND g <> '?'\","
     "\"Parameters\":[{\"S\":\"a\"},{\"N\":\"7\"}]}",
     HEAD("ExecuteStatement",
          200) ",\"table\":\"Tab\",\"expressions\":{\"Statement\":\"SELECT * FROM Tab WHERE pk = "
               "\\\"a\\\" AND n <> 7 AND g <> '?'\"}" COST("0.5", "0", READ("0.5"), "1", "1",
                                                           "1") "}"},
    {"GetItem", "{\"TableName\":\"Other\",\"Key\":" KEY("a") "}",
     HEAD("GetItem", 400) ",\"table\":\"Other\",\"key\":" KEY(
         "a") ",\"expressions\":{}" NOTHING
              ",\"error\":\"ResourceNotFoundException\",\"message\":\"Requested resource not "
              "found\"}"},
    {"GetItem", "{\"TableName\":1}",
     HEAD("GetItem", 400) NOTHING
     ",\"error\":\"SerializationException\",\"message\":\"NUMBER_VALUE "
     "cannot be converted to String\"}"},
    {"GetItem", "{",
     HEAD("", 400) NOTHING ",\"error\":\"SerializationException\",\"message\":\"\"}"},
    {"ListTables", "{}", HEAD("ListTables", 200) ",\"expressions\":{}" NOTHING "}"},
    {"BatchGetItem", "{\"RequestItems\":{\"Tab\":{\"Keys\":[" KEY("a") "," KEY("z") "]}}}",
     HEAD("BatchGetItem", 200) ",\"table\":\"Tab\",\"part_count\":2,\"parts\":[{\"table\":\"Tab\","
                               "\"key\":" KEY("a") ",\"expressions\":{}},{\"table\":\"Tab\","
                                                   "\"key\":" KEY("z") ",\"expressions\":{}}]" COST(
                                                       "1", "0", READ("1"), "1", "1", "0") "}"},
    /* masks */
    {"Scan",
     "{" T ",\"FilterExpression\":\"#s = :s AND n > :n\",\"ExpressionAttributeNames\":{\"#s\":"
     "\"secret\"},\"ExpressionAttributeValues\":{\":s\":{\"S\":\"hush\"},\":n\":{\"N\":\"2\"}}}",
     HEAD("Scan", 200) ",\"table\":\"Tab\",\"expressions\":{\"FilterExpression\":\"secret = *** "
                       "AND n > ***\"}" COST("0.5", "0", READ("0.5"), "1", "0", "1") "}"},
    {"UpdateItem",
     "{" T ",\"Key\":" KEY("z") ",\"UpdateExpression\":\"SET m = :m\",\"ConditionExpression\":"
                                "\"attribute_exists(pk)\",\"ExpressionAttributeValues\":{\":m\":{"
                                "\"M\":{\"secret\":{\"S\":"
                                "\"hush\"},\"x\":{\"N\":\"1\"}}}}}",
     HEAD("UpdateItem", 400) ",\"table\":\"Tab\",\"key\":" KEY(
         "z") ",\"expressions\":{\"ConditionExpression\":"
              "\"attribute_exists(pk)\",\"UpdateExpression\":\"SET m = {\\\"M\\\":{\\\"secret\\\":"
              "\\\"***\\\",\\\"x\\\":{\\\"N\\\":\\\"1\\\"}}}\"}" COST(
                  "0", "1", "{\"table\":\"Tab\",\"kind\":\"write\",\"table_units\":1}", "0", "0",
                  "0") ",\"error\":\"ConditionalCheckFailedException\",\"message\":\"***\"}"},
    {"ExecuteStatement", "{\"Statement\":\"INSERT INTO Tab VALUE {'secret': 'hush'}\"}",
     HEAD("ExecuteStatement",
          400) ",\"table\":\"Tab\",\"expressions\":{\"Statement\":\"***"
               "\"}" COST("0", "0", "{\"table\":\"Tab\",\"kind\":\"write\",\"table_units\":0}", "0",
                          "0", "0") ",\"error\":\"ValidationException\","
                                    "\"message\":\"***\"}"},
    {"GetItem", "{" T ",\"Key\":{\"secret\":{\"S\":\"hush\"}}}",
     HEAD("GetItem",
          400) ",\"table\":\"Tab\",\"key\":{\"secret\":\"***\"},\"expressions\":{}" NOTHING
               ",\"error\":\"ValidationException\",\"message\":\"***\"}"},
};

START_TEST(an_entry_shows_what_was_asked_and_what_it_cost)
{
    open_journal(&(struct journal_options){
        .count = 10, .bytes = JOURNAL_BYTES, .masks = masks, .mask_count = 1});
    (void)send(entries[_i].operation, entries[_i].body);
    ck_assert_str_eq(shown(1), entries[_i].entry);
    close_journal();
}
END_TEST

static const struct {
    const char *operation, *body, *request; /* NULL: it is not shown */
} wholes[] = {
    {"Query", "{" T ",\n\"Limit\":3,\"KeyConditionExpression\":\"pk = :a\"}",
     "{" T ", \"Limit\":3,\"KeyConditionExpression\":\"pk = :a\"}"},
    {"PutItem", "{" T ",\"Item\":" KEY("a") "}", "{" T ",\"Item\":" KEY("a") "}"},
    {"GetItem", "{\"TableName\":1}", "{\"TableName\":1}"},
    {"GetItem", "{", NULL},
    {"Frob", "{}", NULL},
    {"PutItem", "{" T ",\"Item\":{\"pk\":{\"S\":\"a\"},\"secret\":{\"S\":\"hush\"}}}", NULL},
    {"Scan",
     "{" T
     ",\"FilterExpression\":\"#s = :s\",\"ExpressionAttributeNames\":{\"#s\":\"s\\u0065cret\"}}",
     NULL},
    {"ExecuteStatement", "{\"Statement\":\"SELECT * FROM Tab WHERE s\\u0065cret = 'hush'\"}", NULL},
};

START_TEST(a_request_is_shown_as_it_was_sent)
{
    const char *request;

    open_journal(&(struct journal_options){
        .count = 10, .bytes = JOURNAL_BYTES, .masks = masks, .mask_count = 1});
    (void)send(wholes[_i].operation, wholes[_i].body);
    ck_assert_ptr_null(strstr(shown(1), "\"request\":"));
    request = strstr(shown_with(1, true), "\"request\":");
    ck_assert_int_eq(request != NULL, wholes[_i].request != NULL);
    if (request)
        ck_assert_int_eq(strncmp(request + strlen("\"request\":"), wholes[_i].request,
                                 strlen(wholes[_i].request)),
                         0);
    close_journal();
}
END_TEST

/* --- what is kept ----------------------------------------------------------------------------- */

START_TEST(the_newest_are_kept_and_the_others_counted)
{
    open_journal(&(struct journal_options){.count = 100, .bytes = JOURNAL_BYTES});
    for (int i = 0; i < 250; i++)
        (void)send("ListTables", "{}");
    ck_assert_uint_eq(journal_first(journal), 151);
    ck_assert_uint_eq(journal_last(journal), 250);
    ck_assert_uint_eq(journal_dropped(journal), 150);
    ck_assert_ptr_null(journal_find(journal, 150));
    ck_assert_ptr_null(journal_find(journal, 251));
    for (uint64_t id = 151; id <= 250; id++)
        ck_assert_uint_eq(journal_find(journal, id)->id, id);
    journal_clear(journal);
    ck_assert_uint_eq(journal_dropped(journal), 0);
    ck_assert_uint_gt(journal_first(journal), journal_last(journal));
    (void)send("ListTables", "{}");
    ck_assert_uint_eq(journal_find(journal, 251)->id, 251);
    close_journal();
}
END_TEST

START_TEST(bytes_are_bounded_too)
{
    open_journal(&(struct journal_options){.count = 1000, .bytes = 4096});
    for (int i = 0; i < 100; i++)
        (void)send("ListTables", "{}");
    ck_assert_uint_gt(journal_first(journal), 50);
    ck_assert_uint_le(journal_first(journal), journal_last(journal));
    close_journal();
}
END_TEST

START_TEST(a_long_request_is_kept_without_its_long_members)
{
    char *filler = arena_alloc(arena, 20001);

    memset(filler, 'x', 20000);
    open_journal(&(struct journal_options){.count = 10, .bytes = JOURNAL_BYTES});
    (void)send("PutItem",
               arena_printf(arena, "{" T ",\"Item\":{\"pk\":{\"S\":\"b\"},\"f\":{\"S\":\"%s\"}}}",
                            filler));
    ck_assert_ptr_nonnull(strstr(shown(1), "\"key\":{\"pk\":{\"S\":\"b\"}}"));
    ck_assert_ptr_nonnull(strstr(shown(1), "\"shortened\":true"));
    ck_assert_ptr_null(strstr(shown(1), "xxx"));
    close_journal();
}
END_TEST

/* --- filters ---------------------------------------------------------------------------------- */

static const struct {
    struct journal_filter filter;
    const char *taken; /* of a GetItem, a Scan and a GetItem of another table */
} filters[] = {
    {{.since_ms = INT64_MIN}, "123"},
    {{.operation = SPAN_LIT_INIT("Scan")}, "2"},
    {{.table = SPAN_LIT_INIT("Tab")}, "12"},
    {{.table = SPAN_LIT_INIT("Other")}, "3"},
    {{.error = SPAN_LIT_INIT("any")}, "3"},
    {{.error = SPAN_LIT_INIT("none")}, "12"},
    {{.error = SPAN_LIT_INIT("ResourceNotFoundException")}, "3"},
    {{.error = SPAN_LIT_INIT("ThrottlingException")}, ""},
    {{.since_ms = OFFLINE_NOW_MS}, "123"},
    {{.since_ms = OFFLINE_NOW_MS + 1}, ""},
    {{.min_units = 0.5}, "12"},
    {{.min_units = 0.6}, ""},
};

START_TEST(filters_take_what_they_say)
{
    struct buf taken = buf_in(arena);

    open_journal(&(struct journal_options){.count = 10, .bytes = JOURNAL_BYTES});
    (void)send("GetItem", "{" T ",\"Key\":" KEY("a") "}");
    (void)send("Scan", "{" T "}");
    (void)send("GetItem", "{\"TableName\":\"Other\",\"Key\":" KEY("a") "}");
    for (uint64_t id = 1; id <= 3; id++)
        if (journal_show_takes(arena, &filters[_i].filter, journal_find(journal, id)))
            buf_printf(&taken, "%d", (int)id);
    ck_assert_str_eq(buf_text(&taken), filters[_i].taken);
    close_journal();
}
END_TEST

/* --- assertions ------------------------------------------------------------------------------- */

#define AT(shape) "the first is " shape " (in world w1 at 2023-11-14T22:13:20.000Z)"

/* Held against a GetItem, a Scan that filters all, a Query by index, a faulty PutItem. */
static const struct {
    const char *words, *why; /* NULL: it holds */
} assertions[] = {
    {"no=Query", "it was sent in 1 request, " AT("Query Tab.byG where g = ?")},
    {"no=DeleteItem", NULL},
    {"no=DeleteItem|Scan", "it was sent in 1 request, " AT("Scan Tab filter attribute_exists(x)")},
    {"max_read_units=1.5", NULL},
    {"max_read_units=1", "1.5 units were consumed"},
    {"max_write_units=0", NULL},
    {"max_read_units_each=0.5", NULL},
    {"max_read_units_each=0.4",
     "more units were consumed in 3 requests, " AT("GetItem Tab") ", and 0.5 the most"},
    {"max_write_units_each=1", NULL},
    {"max_filtered_percent=100", NULL},
    {"max_filtered_percent=99", "filters threw away more in 1 request, " AT(
                                    "Scan Tab filter attribute_exists(x)") ", and 100 % the most"},
    {"only_indexes=byG", NULL},
    {"only_indexes=byH|byI",
     "another index was read in 1 request, " AT("Query Tab.byG where g = ?")},
    {"no_validation_errors", "the form was refused in 1 request, " AT("PutItem Tab")},
    {"no_unretried", NULL},
    {"min_retry_ms=1000", NULL},
};

START_TEST(assertions_hold_or_say_why_not)
{
    struct buf text = buf_in(arena);
    struct assertions *all;

    open_journal(&(struct journal_options){.count = 10, .bytes = JOURNAL_BYTES});
    (void)send("GetItem", "{" T ",\"Key\":" KEY("a") "}");
    (void)send("Scan", "{" T ",\"FilterExpression\":\"attribute_exists(x)\"}");
    (void)send("Query", "{" T ",\"IndexName\":\"byG\",\"KeyConditionExpression\":\"g = :g\","
                        "\"ExpressionAttributeValues\":{\":g\":{\"S\":\"g\"}}}");
    (void)send("PutItem", "{" T ",\"Item\":{}}");
    ck_assert_ptr_null(assertions_read_words(arena, assertions[_i].words, &all));
    for (uint64_t id = 1; id <= 4; id++)
        assertions_take(all, SPAN_LIT("w1"), journal_find(journal, id));
    ck_assert_int_eq(assertions_hold(all), !assertions[_i].why);
    assertions_print(all, &text);
    ck_assert_str_eq(
        buf_text(&text),
        assertions[_i].why
            ? arena_printf(arena, "broken  %s: %s\n", assertions[_i].words, assertions[_i].why)
            : arena_printf(arena, "holds   %s\n", assertions[_i].words));
    close_journal();
}
END_TEST

/* A call that was throttled comes again at once, and a second time after a while. */
START_TEST(the_shortest_wait_may_be_none)
{
    static const int64_t began_us[] = {1000, 1500, 7000};
    struct journal_entry call = {.error = ERROR_THROTTLING, .status = 400, .took_us = 500};
    struct buf text = buf_in(arena);
    struct assertions *all;

    ck_assert_ptr_null(assertions_read_words(arena, "min_retry_ms=10", &all));
    for (size_t i = 0; i < COUNT(began_us); i++) {
        call.id = i + 1;
        call.began_us = began_us[i];
        assertions_take(all, SPAN_LIT("w1"), &call);
    }
    assertions_print(all, &text);
    ck_assert_str_eq(
        buf_text(&text),
        "broken  min_retry_ms=10: a throttled call was sent again too soon in 2 requests, "
        "the first is a request without a known operation (in world w1 at "
        "1970-01-01T00:00:00.000Z), and 0 ms the "
        "shortest wait\n");
}
END_TEST

/* Parallel tests send the same requests, each to a world of its own. */
START_TEST(worlds_are_not_taken_for_each_other)
{
    struct journal_entry call = {.error = ERROR_THROTTLING, .status = 400, .took_us = 500};
    struct assertions *all;

    ck_assert_ptr_null(assertions_read_words(arena, "min_retry_ms=10", &all));
    for (call.id = 1; call.id <= 2; call.id++)
        assertions_take(all, call.id == 1 ? SPAN_LIT("w1") : SPAN_LIT("w2"), &call);
    ck_assert(assertions_hold(all));
    assertions_take(all, SPAN_LIT("w1"), &call);
    ck_assert(!assertions_hold(all));
    ck_assert_uint_eq(assertions_requests(all), 3);
}
END_TEST

static const struct {
    const char *body, *problem;
} wrong[] = {
    {"{}", "assert must be a list of 1 to 100 assertions"},
    {"{\"assert\":[]}", "assert must be a list of 1 to 100 assertions"},
    {"{\"assert\":[1]}", "assert[0] must be an object with one member"},
    {"{\"assert\":[{\"no\":\"Scan\",\"max_read_units\":1}]}",
     "assert[0] must be an object with one member"},
    {"{\"assert\":[{\"no\":\"Scan\"},{\"no\":\"Scam\"}]}",
     "assert[1]: no: there is no operation Scam"},
    {"{\"assert\":[{\"no\":[1]}]}", "assert[0]: no takes names"},
    {"{\"assert\":[{\"max_read_units\":-1}]}",
     "assert[0]: max_read_units takes a number from 0 on"},
    {"{\"assert\":[{\"no_unretried\":false}]}", "assert[0]: no_unretried takes true"},
    {"{\"assert\":[{\"pattern\":1}]}", "assert[0]: pattern takes names"},
    {"{\"assert\":[{\"only_catalogue_indexes\":1}]}",
     "assert[0]: only_catalogue_indexes takes true"},
    {"{\"assert\":[{\"nothing\":1}]}",
     "assert[0]: nothing is not one of no, max_read_units, max_write_units, max_read_units_each, "
     "max_write_units_each, max_filtered_percent, only_indexes, "
     "only_catalogue_indexes, pattern, no_validation_errors, no_unretried, min_retry_ms"},
};

START_TEST(an_assertion_that_is_wrong_is_refused_by_name)
{
    struct assertions *all = NULL;
    const wire_node *body;

    ck_assert_ptr_null(wire_parse(arena, span_of(wrong[_i].body), &body));
    ck_assert_str_eq(problem_text(arena, assertions_read(arena, body, &all)), wrong[_i].problem);
    ck_assert_ptr_null(all);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, an_entry_shows_what_was_asked_and_what_it_cost, 0, COUNT(entries));
    tcase_add_loop_test(tc, a_request_is_shown_as_it_was_sent, 0, COUNT(wholes));
    tcase_add_test(tc, the_newest_are_kept_and_the_others_counted);
    tcase_add_test(tc, bytes_are_bounded_too);
    tcase_add_test(tc, a_long_request_is_kept_without_its_long_members);
    tcase_add_loop_test(tc, filters_take_what_they_say, 0, COUNT(filters));
    tcase_add_loop_test(tc, assertions_hold_or_say_why_not, 0, COUNT(assertions));
    tcase_add_test(tc, the_shortest_wait_may_be_none);
    tcase_add_test(tc, worlds_are_not_taken_for_each_other);
    tcase_add_loop_test(tc, an_assertion_that_is_wrong_is_refused_by_name, 0, COUNT(wrong));
}

UNIT_TESTS(journal, add_tests)
