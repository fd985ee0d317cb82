#include "unit.h"

#include "admin/admin.h"
#include "base/file.h"
#include "support/offline_server.h"

#include <unistd.h>

#define FILES 3 /* of imports */

static struct clock *now;
static struct worlds *worlds;
static struct admin *admin;

static void open_admin(void)
{
    worlds = offline_worlds_new(arena, &(struct offline_options){.seed = 1}, &now);
    admin = admin_new(worlds, NULL);
}

static void close_admin(void)
{
    admin_free(admin);
    worlds_free(worlds);
}

static struct admin_request request_of(const char *method, const char *path, const char *body)
{
    return (struct admin_request){
        .method = method, .path = span_of(path), .query = SPAN_LIT(""), .body = span_of(body)};
}

static struct admin_work *begin(const struct admin_request *request)
{
    struct admin_reply reply;

    admin_handle(admin, request, &reply);
    ck_assert_msg(reply.work != NULL, "%.*s", SPAN_ARG(reply.body));
    return reply.work;
}

static bool must_wait(const char *method, const char *path)
{
    struct admin_request request = request_of(method, path, "{}");

    return admin_must_wait(admin, &request);
}

/* --- work that keeps memory ------------------------------------------------------------------- */

static const char patterns[] =
    "{\"file\": {\"patterns\": [{\"name\": \"tables\", \"question\": \"which are there?\", "
    "\"steps\": [{\"operation\": \"ListTables\", \"request\": {}}]}]}}";

START_TEST(of_what_keeps_much_memory_one_goes_on_and_others_are_not_begun)
{
    struct admin_request request = request_of("POST", "patterns/run", patterns);
    struct admin_work *work;

    open_admin();
    ck_assert(!must_wait("POST", "assert"));
    work = begin(&request);
    ck_assert(must_wait("POST", "assert"));
    ck_assert(must_wait("POST", "patterns/run"));
    ck_assert(!must_wait("GET", "journal"));
    ck_assert(!must_wait("POST", "clock"));
    ck_assert(!must_wait("POST", "nothing"));
    admin_end(work);
    ck_assert(!must_wait("POST", "assert"));
    ck_assert(!must_wait("POST", "patterns/run"));
    close_admin();
}
END_TEST

/* Their files are not in memory, and gone after the request. */
START_TEST(imports_begin_at_once_and_are_worked_on_in_their_order)
{
    struct admin_request request = request_of("POST", "import", "");
    struct admin_work *works[FILES];
    char folder[UNIT_FOLDER_SIZE];
    struct admin_reply reply;
    const char *path;

    open_admin();
    unit_make_folder(folder);
    path = arena_printf(arena, "%s/items", folder);
    ck_assert(file_append_lines(path, SPAN_LIT("{\"id\":\"a\"}\n")));
    request.query = SPAN_LIT("table=Notes&key=id:S");
    request.file = path;
    for (size_t i = 0; i < FILES; i++) {
        ck_assert(!admin_must_wait(admin, &request));
        works[i] = begin(&request);
    }
    for (size_t later = FILES; later-- > 1;)
        ck_assert(!admin_step(admin, works[later], &reply));
    for (size_t i = 0; i < FILES; i++) {
        while (!admin_step(admin, works[i], &reply))
            continue;
        ck_assert_int_eq(reply.status, 200);
        admin_end(works[i]);
    }
    ck_assert(!must_wait("POST", "assert"));
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(rmdir(folder), 0);
    close_admin();
}
END_TEST

#define LARGE 400 /* requests of 10 KB, which the journal keeps whole */

static size_t steps_of(struct admin_work *work)
{
    struct admin_reply reply;
    size_t steps = 1;

    for (; !admin_step(admin, work, &reply); steps++)
        continue;
    ck_assert_int_eq(reply.status, 200);
    admin_end(work);
    return steps;
}

/* A slice of large requests has fewer of them. */
START_TEST(a_count_of_partitions_has_slices_by_what_they_cost)
{
    const struct offline_options options = {.seed = 1,
                                            .journal = {.count = 1000, .bytes = 20 << 20}};
    struct admin_request request = request_of("GET", "metrics/partitions", "");
    struct dispatcher *d;
    struct reply reply;

    worlds = offline_worlds_new(arena, &options, &now);
    admin = admin_new(worlds, NULL);
    ck_assert_ptr_null(worlds_begin_first(arena, worlds));
    d = world_dispatcher(worlds_first(worlds));
    for (int i = 0; i < 400; i++)
        dispatch(d,
                 &(struct request){.target = SPAN_LIT("DynamoDB_20120810.GetItem"),
                                   .body = SPAN_LIT("{\"TableName\":\"Tab\",\"Key\":{}}")},
                 &reply);
    ck_assert_uint_eq(steps_of(begin(&request)), 1);
    for (int i = 0; i < LARGE; i++)
        dispatch(d,
                 &(struct request){
                     .target = SPAN_LIT("DynamoDB_20120810.PutItem"),
                     .body = span_of(arena_printf(arena,
                                                  "{\"TableName\":\"Tab\",\"Item\":{\"pk\":"
                                                  "{\"S\":\"%010000d\"}}}",
                                                  i))},
                 &reply);
    ck_assert_uint_gt(steps_of(begin(&request)), 4);
    close_admin();
}
END_TEST

/* --- writes of an item that was seen ---------------------------------------------------------- */

static int ask(const char *path, const char *body, struct span *out)
{
    struct admin_request request = request_of("POST", path, body);
    struct admin_reply reply;

    admin_handle(admin, &request, &reply);
    ck_assert(!reply.work);
    *out = arena_span(arena, reply.body);
    return reply.status;
}

static struct span must(const char *path, const char *body)
{
    struct span answer;
    int status = ask(path, body, &answer);

    ck_assert_msg(status == 200, "%d %.*s", status, SPAN_ARG(answer));
    return answer;
}

static bool has(struct span text, const char *part)
{
    return strstr(arena_printf(arena, "%.*s", SPAN_ARG(text)), part) != NULL;
}

static void put(const char *more)
{
    must("try", arena_printf(arena,
                             "{\"operation\": \"PutItem\", \"request\": {\"TableName\": \"Table\", "
                             "\"Item\": {\"pk\": {\"S\": \"a\"}%s}}}",
                             more));
}

static struct span stored(void)
{
    return must("try",
                "{\"operation\": \"GetItem\", \"request\": {\"TableName\": \"Table\", \"Key\": "
                "{\"pk\": {\"S\": \"a\"}}}}");
}

/* Of the three operations, each as it leaves a trace. */
static const char *const writes[] = {
    "\"operation\": \"PutItem\", \"request\": {\"TableName\": \"Table\", \"Item\": {\"pk\": "
    "{\"S\": "
    "\"a\"}, \"by\": {\"S\": \"me\"}}}",
    "\"operation\": \"UpdateItem\", \"request\": {\"TableName\": \"Table\", \"Key\": {\"pk\": "
    "{\"S\": "
    "\"a\"}}, \"UpdateExpression\": \"SET #b = :b\", \"ExpressionAttributeNames\": {\"#b\": "
    "\"by\"}, "
    "\"ExpressionAttributeValues\": {\":b\": {\"S\": \"me\"}}}",
    "\"operation\": \"DeleteItem\", \"request\": {\"TableName\": \"Table\", \"Key\": {\"pk\": "
    "{\"S\": "
    "\"a\"}}, \"ReturnValues\": \"ALL_OLD\"}",
};

#define THERE  "{\"pk\": {\"S\": \"a\"}"
#define NUMBER ", \"n\": {\"N\": \"1.0\"}"
#define SET    ", \"s\": {\"SS\": [\"x\", \"y\\nz\"]}"
#define MAP    ", \"m\": {\"M\": {\"constructor\": {\"N\": \"1e2\"}, \"b\": {\"L\": []}}}"

static const struct seen_row {
    const char *about, *stored; /* behind the key; NULL: no item */
    const char *old;
    bool equal;
} seen_rows[] = {
    {"the key alone", "", THERE "}", true},
    {"no item, as seen", NULL, "null", true},
    {"the same", NUMBER SET MAP, THERE NUMBER SET MAP "}", true},
    {"attributes in another order", NUMBER SET,
     "{\"s\": {\"SS\": [\"x\", \"y\\nz\"]}, \"n\": {\"N\": \"1\"}, \"pk\": {\"S\": \"a\"}}", true},
    {"a number in another form", NUMBER, THERE ", \"n\": {\"N\": \"100e-2\"}}", true},
    {"a set in another order", SET, THERE ", \"s\": {\"SS\": [\"y\\nz\", \"x\"]}}", true},
    {"a map in another order", MAP,
     THERE ", \"m\": {\"M\": {\"b\": {\"L\": []}, \"constructor\": {\"N\": \"100\"}}}}", true},
    {"an attribute that another client added", NUMBER, THERE "}", false},
    {"an attribute that another client removed", "", THERE NUMBER "}", false},
    {"a value that another client changed", NUMBER, THERE ", \"n\": {\"N\": \"1.01\"}}", false},
    {"a type that another client changed", NUMBER, THERE ", \"n\": {\"S\": \"1\"}}", false},
    {"an attribute that has another name", NUMBER, THERE ", \"N\": {\"N\": \"1\"}}", false},
    {"a member fewer of a set", SET, THERE ", \"s\": {\"SS\": [\"x\"]}}", false},
    {"a member split in two", SET, THERE ", \"s\": {\"SS\": [\"x\", \"y\", \"z\"]}}", false},
    {"a value deep inside", MAP,
     THERE ", \"m\": {\"M\": {\"b\": {\"L\": []}, \"constructor\": {\"N\": \"101\"}}}}", false},
    {"a list in another order", ", \"l\": {\"L\": [{\"S\": \"x\"}, {\"S\": \"y\"}]}",
     THERE ", \"l\": {\"L\": [{\"S\": \"y\"}, {\"S\": \"x\"}]}}", false},
    {"another key", "", "{\"pk\": {\"S\": \"b\"}}", false},
    {"an empty map for an item", "", "{}", false},
    {"an item where there was none", "", "null", false},
    {"no item where there was one", NULL, THERE "}", false},
    {"no item where there was an empty map", NULL, "{}", false},
};

static void check_seen(const struct seen_row *row, const char *write)
{
    struct span before, answer;
    int status;

    must("reset", "");
    must("try", arena_printf(arena, "{\"operation\": \"CreateTable\", \"request\": %s}",
                             offline_server_table));
    if (row->stored)
        put(row->stored);
    before = stored();
    status = ask("write", arena_printf(arena, "{%s, \"old\": %s}", write, row->old), &answer);
    ck_assert_msg(status == (row->equal ? 200 : 409), "%s: %d %.*s", row->about, status,
                  SPAN_ARG(answer));
    if (row->equal) {
        ck_assert_msg(has(answer, "\"status\":200"), "%.*s", SPAN_ARG(answer));
        return;
    }
    ck_assert_msg(span_equal(stored(), before), "%s: it was written", row->about);
    ck_assert_msg(has(answer, row->stored ? "\"item\":{" : "\"item\":null"), "%.*s",
                  SPAN_ARG(answer));
}

START_TEST(an_item_is_written_only_where_it_is_the_one_that_was_seen)
{
    open_admin();
    for (size_t i = 0; i < COUNT(seen_rows); i++)
        for (size_t j = 0; j < COUNT(writes); j++)
            check_seen(&seen_rows[i], writes[j]);
    close_admin();
}
END_TEST

START_TEST(what_is_stored_instead_comes_with_the_refusal_and_the_write_leaves_the_rest)
{
    struct span answer;

    open_admin();
    must("try", arena_printf(arena, "{\"operation\": \"CreateTable\", \"request\": %s}",
                             offline_server_table));
    put(NUMBER ", \"from_other\": {\"S\": \"theirs\"}");
    ck_assert_int_eq(
        ask("write", arena_printf(arena, "{%s, \"old\": " THERE NUMBER "}}", writes[1]), &answer),
        409);
    ck_assert_msg(has(answer, "\"from_other\":{\"S\":\"theirs\"}"), "%.*s", SPAN_ARG(answer));
    must("write",
         arena_printf(arena,
                      "{%s, \"old\": " THERE NUMBER ", \"from_other\": {\"S\": \"theirs\"}}}",
                      writes[1]));
    ck_assert(has(stored(), "\"from_other\":{\"S\":\"theirs\"}"));
    ck_assert(has(stored(), "\"by\":{\"S\":\"me\"}"));
    close_admin();
}
END_TEST

/* The service's own refusals come as they are, and write nothing. */
START_TEST(a_condition_of_the_request_counts_as_well)
{
    struct span answer;

    open_admin();
    must("try", arena_printf(arena, "{\"operation\": \"CreateTable\", \"request\": %s}",
                             offline_server_table));
    put("");
    answer = must(
        "write", "{\"operation\": \"DeleteItem\", \"request\": {\"TableName\": \"Table\", \"Key\": "
                 "{\"pk\": {\"S\": \"a\"}}, \"ConditionExpression\": \"attribute_exists(b)\"}, "
                 "\"old\": " THERE "}}");
    ck_assert_msg(has(answer, "\"status\":400"), "%.*s", SPAN_ARG(answer));
    ck_assert_msg(has(answer, "ConditionalCheckFailedException"), "%.*s", SPAN_ARG(answer));
    ck_assert(has(stored(), "\"Item\""));
    close_admin();
}
END_TEST

/* 390 KB in one attribute, and as many attributes as fit: a difference in the last of them counts.
 */
START_TEST(large_and_wide_items_are_compared_as_a_whole)
{
    struct buf wide = buf_in(arena);
    struct span answer;

    open_admin();
    must("try", arena_printf(arena, "{\"operation\": \"CreateTable\", \"request\": %s}",
                             offline_server_table));
    buf_add_text(&wide, ", \"long\": {\"S\": \"");
    for (size_t i = 0; i < 200000; i++)
        buf_add_char(&wide, 'x');
    buf_add_text(&wide, "\"}");
    for (size_t i = 0; i < 20000; i++)
        buf_printf(&wide, ", \"a%zu\": {\"N\": \"%zu\"}", i, i % 10);
    buf_add_char(&wide, '\0');
    put(wide.at);
    ck_assert_int_eq(ask("write",
                         arena_printf(arena, "{%s, \"old\": " THERE "%s, \"a\": {\"N\": \"1\"}}}",
                                      writes[1], wide.at),
                         &answer),
                     409);
    must("write", arena_printf(arena, "{%s, \"old\": " THERE "%s}}", writes[1], wide.at));
    ck_assert(has(stored(), "\"by\":{\"S\":\"me\"}"));
    ck_assert_int_eq(ask("write",
                         arena_printf(arena, "{%s, \"old\": " THERE "%s}}", writes[2], wide.at),
                         &answer),
                     409);
    close_admin();
}
END_TEST

static const struct {
    const char *body, *message;
} refused_rows[] = {
    {"", "operation and request are needed"},
    {"{\"operation\": \"PutItem\", \"old\": null}", "operation and request are needed"},
    {"{\"operation\": \"PutItem\", \"request\": {}}",
     "old is needed: the item as it was read, or null for a missing one"},
    {"{\"operation\": \"Query\", \"request\": {}, \"old\": null}",
     "operation is Query, not PutItem, UpdateItem or DeleteItem"},
    {"{\"operation\": \"BatchWriteItem\", \"request\": {}, \"old\": null}",
     "operation is BatchWriteItem, not PutItem, UpdateItem or DeleteItem"},
    {"{\"operation\": \"PutItem\", \"request\": {}, \"old\": []}", "old is not an item"},
    {"{\"operation\": \"PutItem\", \"request\": {}, \"old\": {\"a\": \"b\"}}",
     "old is not an item"},
    {"{\"operation\": \"PutItem\", \"request\": {}, \"old\": {\"a\": {\"N\": \"one\"}}}",
     "old is not an item: The parameter cannot be converted to a numeric value: one"},
    {"{\"operation\": \"PutItem\", \"request\": {}, \"old\": {\"a\": {}}}",
     "old is not an item: Supplied AttributeValue is empty"},
    {"{\"operation\": \"PutItem\", \"request\": {}, \"old\": null, \"new\": {}}",
     "unknown member new"},
    {"{\"operation\": \"PutItem\", \"request\": {}, \"old\": null, \"old\": null}",
     "old is given twice"},
    {"{\"operation\": \"PutItem\", \"request\": {}, \"old\": null, \"region\": \"\"}",
     "region is not a region's name"},
    {"{\"operation\": \"PutItem\", \"request\": {}, \"old\": null, \"region\": 1}",
     "region is not a region's name"},
};

START_TEST(a_write_that_says_too_little_is_refused_by_name)
{
    open_admin();
    for (size_t i = 0; i < COUNT(refused_rows); i++) {
        struct span answer;

        ck_assert_int_eq(ask("write", refused_rows[i].body, &answer), 400);
        ck_assert_msg(has(answer, refused_rows[i].message), "%s: %.*s", refused_rows[i].body,
                      SPAN_ARG(answer));
    }
    close_admin();
}
END_TEST

/* Else a table of that name in another region would be written. */
START_TEST(a_write_is_in_the_region_that_it_names)
{
    struct span answer;

    worlds = offline_worlds_new(
        arena, &(struct offline_options){.seed = 1, .settings = {.regional = true}}, &now);
    admin = admin_new(worlds, NULL);
    must("try", arena_printf(arena, "{\"operation\": \"CreateTable\", \"request\": %s}",
                             offline_server_table));
    answer = must("write",
                  arena_printf(arena, "{%s, \"old\": null, \"region\": \"eu-west-1\"}", writes[0]));
    ck_assert_msg(has(answer, "ResourceNotFoundException"), "%.*s", SPAN_ARG(answer));
    answer = must("write",
                  arena_printf(arena, "{%s, \"old\": null, \"region\": \"us-east-1\"}", writes[0]));
    ck_assert_msg(has(answer, "\"status\":200"), "%.*s", SPAN_ARG(answer));
    close_admin();
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, an_item_is_written_only_where_it_is_the_one_that_was_seen);
    tcase_add_test(tc, what_is_stored_instead_comes_with_the_refusal_and_the_write_leaves_the_rest);
    tcase_add_test(tc, a_condition_of_the_request_counts_as_well);
    tcase_add_test(tc, large_and_wide_items_are_compared_as_a_whole);
    tcase_add_test(tc, a_write_that_says_too_little_is_refused_by_name);
    tcase_add_test(tc, a_write_is_in_the_region_that_it_names);
    tcase_add_test(tc, of_what_keeps_much_memory_one_goes_on_and_others_are_not_begun);
    tcase_add_test(tc, a_count_of_partitions_has_slices_by_what_they_cost);
    tcase_add_test(tc, imports_begin_at_once_and_are_worked_on_in_their_order);
}

UNIT_TESTS(admin, add_tests)
