#include "unit.h"

#include "ops/op.h"
#include "patterns/pattern_file.h"
#include "patterns/pattern_operation.h"
#include "patterns/pattern_report.h"
#include "patterns/pattern_resolve.h"
#include "wire/json.h"

#define PATTERN(members)                                                                     \
    "{\"patterns\":[{\"name\":\"p\",\"question\":\"q\",\"steps\":[{\"operation\":\"Query\"," \
    "\"request\":{}" members "}]}]}"

static const wire_node *tree_of(const char *text)
{
    const wire_node *tree = NULL;

    ck_assert_msg(!wire_parse(arena, span_of(text), &tree), "not JSON: %s", text);
    return tree;
}

START_TEST(reads_a_whole_file)
{
    static const char text[] =
        "{\"title\":\"T\",\"cli\":[\"--profile\",\"x\"],\"values\":{\"id\":\"7\"},"
        "\"sections\":[{\"name\":\"s\",\"title\":\"S\",\"table\":\"Tab\","
        "\"keys\":[{\"key\":\"pk\",\"format\":\"A#\"}],\"indexes\":{\"I\":\"use\"}}],"
        "\"patterns\":[{\"name\":\"p\",\"section\":\"s\",\"question\":\"q\",\"steps\":["
        "{\"name\":\"one\",\"operation\":\"Query\",\"request\":{\"TableName\":\"Tab\"},"
        "\"max_items\":10,\"pick\":{\"highest\":\"at\"}},"
        "{\"operation\":\"Scan\",\"request\":{},\"pages\":\"all\",\"pick\":{\"lowest\":\"n\"},"
        "\"expect\":{\"count\":{\"min\":1},\"every\":{\"a\":{\"S\":\"x\"},\"b\":{\"min\":1}}},"
        "\"cost\":{\"index\":\"table\",\"read\":3,\"rcu\":{\"max\":2}}}]}]}";
    struct pattern_file file;

    ck_assert_ptr_null(pattern_file_parse(arena, "f", span_of(text), &file));
    ck_assert_str_eq(file.title, "T");
    ck_assert_uint_eq(file.section_count, 1);
    ck_assert_str_eq(file.sections[0].table, "Tab");
    ck_assert_uint_eq(file.pattern_count, 1);
    ck_assert_uint_eq(file.patterns[0].step_count, 2);
    ck_assert_str_eq(file.patterns[0].steps[0].name, "one");
    ck_assert_uint_eq(file.patterns[0].steps[0].max_items, 10);
    ck_assert(file.patterns[0].steps[0].pick_highest);
    ck_assert_str_eq(file.patterns[0].steps[1].name, "step2");
    ck_assert_str_eq(file.patterns[0].steps[1].pick, "n");
    ck_assert(file.patterns[0].steps[1].all_pages);
}
END_TEST

static const struct {
    const char *text, *error;
} faults[] = {
    {"{\n\"patterns\": [}", "f:2:14: not a JSON object"},
    {"[]", "f:1:1: not a JSON object"},
    {"\xEF\xBB\xBF{\"patterns\": []}",
     "f: the file begins with a byte order mark; save it without one"},
    {"{}", "f: member patterns is missing"},
    {"{\"patterns\":[]}", "f: patterns is empty"},
    {"{\"patterns\":{}}", "f: patterns is an object, expected an array"},
    {"{\"patterns\":[],\"titel\":\"x\"}", "f: unknown member titel"},
    {"{\"patterns\":[],\"values\":{\"a\":1}}", "f: expected strings, found a number"},
    {"{\"patterns\":[1]}", "f: pattern 1: expected an object, found a number"},
    {"{\"patterns\":[{\"name\":\"p\",\"question\":\"q\",\"steps\":[]}]}",
     "f: pattern 1 (p): steps is empty"},
    {"{\"patterns\":[{\"name\":\"p\",\"steps\":[]}]}", "f: pattern 1: member question is missing"},
    {"{\"patterns\":[{\"name\":\"p\",\"question\":\"q\",\"section\":\"s\","
     "\"steps\":[{\"operation\":\"Scan\",\"request\":{}}]}]}",
     "f: pattern p: there is no section s"},
    {"{\"patterns\":[{\"name\":\"p\",\"question\":\"q\",\"steps\":[{\"operation\":\"Scan\","
     "\"request\":{}}]},{\"name\":\"p\",\"question\":\"q\",\"steps\":[{\"operation\":\"Scan\","
     "\"request\":{}}]}]}",
     "f: pattern 2: the name p is used twice"},
    {PATTERN(",\"expct\":{}"), "f: pattern 1 (p), step 1: unknown member expct"},
    {PATTERN(",\"pages\":\"some\""), "f: pattern 1 (p), step 1: pages is \"all\" or absent"},
    {PATTERN(",\"max_items\":0"),
     "f: pattern 1 (p), step 1: max_items is a whole number from 1 on"},
    {PATTERN(",\"max_items\":1.5"),
     "f: pattern 1 (p), step 1: max_items is a whole number from 1 on"},
    {PATTERN(",\"pick\":{}"), "f: pattern 1 (p), step 1: pick takes highest or lowest"},
    {PATTERN(",\"expect\":{\"cout\":1}"), "f: pattern 1 (p), step 1: unknown member cout"},
    {PATTERN(",\"expect\":{\"count\":{\"least\":1}}"),
     "f: pattern 1 (p), step 1: unknown member least"},
    {PATTERN(",\"expect\":{\"every\":{\"a\":\"x\"}}"),
     "f: pattern 1 (p), step 1: attribute a: expected a value or a check"},
    {PATTERN(",\"expect\":{\"picked\":{\"a\":{\"starts\":\"x\"}}}"),
     "f: pattern 1 (p), step 1: attribute a: unknown check starts"},
    {PATTERN(",\"expect\":{\"some\":{\"a\":{\"min\":\"1\"}}}"),
     "f: pattern 1 (p), step 1: attribute a: min takes a number"},
    {PATTERN(",\"expect\":{\"order\":{}}"), "f: pattern 1 (p), step 1: member by is missing"},
    {PATTERN(",\"cost\":{\"wcu\":1}"), "f: pattern 1 (p), step 1: unknown member wcu"},
    {PATTERN(",\"cost\":{\"index\":\"\"}"), "f: pattern 1 (p), step 1: index is empty"},
    {PATTERN(",\"cost\":{\"read\":-1}"),
     "f: pattern 1 (p), step 1: read takes a whole number from 0 on"},
    {PATTERN(",\"cost\":{\"rcu\":{\"min\":-0.5}}"),
     "f: pattern 1 (p), step 1: rcu takes a number from 0 on"},
    {PATTERN(",\"cost\":{\"rcu\":\"0.5\"}"),
     "f: pattern 1 (p), step 1: expected an object, found a string"},
    {PATTERN(",\"name\":\"\""), "f: pattern 1 (p), step 1: name is empty"},
    {PATTERN(",\"request\":{}"), "f: pattern 1 (p), step 1: request is given twice"},
    {PATTERN(",\"expect\":{\"count\":1.5}"),
     "f: pattern 1 (p), step 1: count takes a whole number from 0 on"},
    {PATTERN(",\"expect\":{\"count\":{}}"),
     "f: pattern 1 (p), step 1: count takes a number, min or max"},
    {PATTERN(",\"expect\":{\"count\":{\"min\":5,\"max\":1}}"),
     "f: pattern 1 (p), step 1: count: min is above max"},
    {PATTERN(",\"expect\":{\"every\":{}}"), "f: pattern 1 (p), step 1: every is empty"},
    {PATTERN(",\"expect\":{\"every\":{\"a\":{\"type\":\"STRING\"}}}"),
     "f: pattern 1 (p), step 1: attribute a: there is no type STRING, such as S or SS"},
    {PATTERN(",\"expect\":{\"every\":{\"a\":{\"min\":5,\"max\":1}}}"),
     "f: pattern 1 (p), step 1: attribute a: min is above max"},
    {PATTERN(",\"expect\":{\"answer\":{\"Count\":1}}"),
     "f: pattern 1 (p), step 1: Count is not a JSON Pointer, which begins with /"},
    {PATTERN(",\"expect\":{\"answer\":{}}"), NULL}, /* whatever comes */
    {PATTERN(",\"expect\":{\"message\":\"x\"}"),
     "f: pattern 1 (p), step 1: message goes with error"},
    {PATTERN(",\"expect\":{\"error\":\"ValidationException\",\"count\":1}"),
     "f: pattern 1 (p), step 1: error and count exclude each other"},
    {PATTERN(",\"expect\":{\"order\":{\"by\":\"\"}}"), "f: pattern 1 (p), step 1: by is empty"},
    {PATTERN(",\"expect\":{\"picked\":{\"a\":{\"exists\":true}}}"),
     "f: pattern 1 (p), step 1: picked goes with pick"},
    {"{\"patterns\":[{\"name\":\"\",\"question\":\"q\",\"steps\":[]}]}",
     "f: pattern 1: name is empty"},
    {"{\"patterns\":[{\"name\":\"p\",\"question\":\"q\",\"steps\":[{\"operation\":\"query\","
     "\"request\":{}}]}]}",
     "f: pattern 1 (p), step 1: there is no operation query"},
    {"{\"patterns\":[{\"name\":\"p\",\"question\":\"q\",\"steps\":[{\"name\":\"s\","
     "\"operation\":\"Scan\",\"request\":{}},{\"name\":\"s\",\"operation\":\"Scan\","
     "\"request\":{}}]}]}",
     "f: pattern 1 (p), step 2: the name s is used twice"},
};

START_TEST(says_what_is_wrong_and_where)
{
    struct pattern_file file;

    ck_assert_pstr_eq(
        problem_text(arena, pattern_file_parse(arena, "f", span_of(faults[_i].text), &file)),
        faults[_i].error);
}
END_TEST

/* --- resolving ------------------------------------------------------------------------------- */

static struct pattern_step lookup = {.name = "lookup"};

/* A request, what is sent, and what a command shows; `error` where a reference leads nowhere. */
static const struct {
    const char *in, *sent, *shown, *error;
} requests[] = {
    {"{\"TableName\":\"T\",\"Limit\":10}", "{\"TableName\": \"dev-T\", \"Limit\": 10}", NULL, NULL},
    {"{\"a\":\"{id}/{other}/{prefix}{\"}", "{\"a\": \"7/{other}/dev-{\"}", NULL, NULL},
    {"{\"RequestItems\":{\"T\":{\"Keys\":[]}}}", "{\"RequestItems\": {\"dev-T\": {\"Keys\": []}}}",
     NULL, NULL},
    {"{\"TransactItems\":[{\"Get\":{\"TableName\":\"T\"}}]}",
     "{\"TransactItems\": [{\"Get\": {\"TableName\": \"dev-T\"}}]}", NULL, NULL},
    {"{\"Statement\":\"SELECT * FROM \\\"{prefix}T\\\"\"}",
     "{\"Statement\": \"SELECT * FROM \\\"dev-T\\\"\"}", NULL, NULL},
    {"{\"Key\":{\"pk\":{\"$from\":\"lookup\",\"at\":\"/Items/0/pk\"}}}",
     "{\"Key\": {\"pk\": {\"S\": \"a\"}}}", "{\"Key\": {\"pk\": {\"S\": \"<pk of lookup>\"}}}",
     NULL},
    {"{\"k\":{\"$from\":\"lookup\",\"at\":\"/Items/{zero}/pk/S\",\"shown_as\":\"<x>\"}}",
     "{\"k\": \"a\"}", "{\"k\": \"<x>\"}", NULL},
    {"{\"k\":{\"$from\":\"lookup\",\"at\":\"/Items/1/pk\"}}", NULL, NULL,
     "the answer of step lookup has nothing at /Items/1/pk"},
    {"{\"k\":{\"$from\":\"later\",\"at\":\"\"}}", NULL, NULL, "there is no earlier step later"},
};

static const char *text_of(const wire_node *node)
{
    struct buf out = buf_in(arena);

    json_write(&out, node);
    return buf_text(&out);
}

START_TEST(fills_in_values_prefix_and_answers)
{
    static const struct option_pair values[] = {
        {SPAN_LIT_INIT("prefix"), SPAN_LIT_INIT("dev-"), false},
        {SPAN_LIT_INIT("id"), SPAN_LIT_INIT("7"), false},
        {SPAN_LIT_INIT("zero"), SPAN_LIT_INIT("0"), false}};
    struct pattern_step_result step = {.step = &lookup,
                                       .answer = tree_of("{\"Items\":[{\"pk\":{\"S\":\"a\"}}]}")};
    struct pattern_result earlier = {
        .steps = &step, .step_count = 1, .names = pattern_names_new(arena, 1)};
    struct pattern_resolve_context context = {
        values, pattern_resolve_names(arena, values, COUNT(values)), &earlier};
    struct pattern_resolved resolved;
    const char *error;

    ck_assert(pattern_names_add(earlier.names, SPAN_LIT("lookup"), 0));
    error = pattern_resolve(arena, &context, tree_of(requests[_i].in), &resolved);
    ck_assert_pstr_eq(error, requests[_i].error);
    if (error)
        return;
    ck_assert_str_eq(text_of(resolved.sent), requests[_i].sent);
    ck_assert_str_eq(text_of(resolved.shown),
                     requests[_i].shown ? requests[_i].shown : requests[_i].sent);
}
END_TEST

/* --- commands -------------------------------------------------------------------------------- */

static const struct {
    const char *operation, *request, *command;
} commands[] = {
    {"GetItem", "{\"TableName\":\"prod-T\",\"Key\":{\"pk\":{\"S\":\"it's\"}}}",
     "aws dynamodb get-item \\\n    --table-name prod-T \\\n"
     "    --key '{\"pk\": {\"S\": \"it'\\''s\"}}'\n"},
    {"Query",
     "{\"KeyConditionExpression\":\"pk = :p AND begins_with(sk, :s)\",\"ScanIndexForward\":false,"
     "\"ConsistentRead\":true,\"Limit\":10}",
     "aws dynamodb query \\\n    --key-condition-expression \"pk = :p AND begins_with(sk, :s)\" "
     "\\\n"
     "    --no-scan-index-forward \\\n    --consistent-read \\\n    --limit 10\n"},
    {"ExecuteStatement", "{\"Statement\":\"SELECT * FROM \\\"T\\\" WHERE a = '$x'\"}",
     "aws dynamodb execute-statement \\\n"
     "    --statement 'SELECT * FROM \"T\" WHERE a = '\\''$x'\\'''\n"},
    {"UpdateTable", "{\"SSESpecification\":{\"Enabled\":true}}",
     "aws dynamodb update-table \\\n    --sse-specification '{\"Enabled\": true}'\n"},
    {"Query", "{\"IndexName\":\"\"}", "aws dynamodb query \\\n    --index-name \"\"\n"},
};

START_TEST(writes_the_command_of_a_request)
{
    struct pattern_step step = {.op = pattern_operation_find(commands[_i].operation)};
    struct buf out = buf_in(arena);

    pattern_report_command(&out, &step, tree_of(commands[_i].request), NULL);
    ck_assert_str_eq(buf_text(&out), commands[_i].command);
}
END_TEST

START_TEST(ends_a_command_with_the_files_arguments)
{
    struct pattern_step step = {.op = pattern_operation_find("Scan"), .max_items = 10};
    const wire_node *cli = wire_get(tree_of("{\"cli\":[\"--profile\",\"my profile\"]}"), "cli");
    struct buf out = buf_in(arena);

    pattern_report_command(&out, &step, tree_of("{\"TableName\":\"T\"}"), cli);
    ck_assert_str_eq(buf_text(&out),
                     "aws dynamodb scan \\\n    --table-name T \\\n    --max-items 10 \\\n"
                     "    --profile \"my profile\"\n");
}
END_TEST

/* --- operations ------------------------------------------------------------------------------ */

static const struct {
    const char *operation, *request;
    bool writes;
} operations[] = {
    {"GetItem", "{}", false},
    {"Scan", "{}", false},
    {"DescribeTable", "{}", false},
    {"PutItem", "{}", true},
    {"DeleteTable", "{}", true},
    {"ExecuteStatement", "{\"Statement\":\"  select * from t\"}", false},
    {"ExecuteStatement", "{\"Statement\":\"DELETE FROM t\"}", true},
    {"ExecuteStatement", "{\"Statement\":\"sel\"}", true},
    {"ExecuteStatement", "{}", true},
};

START_TEST(knows_what_may_write)
{
    ck_assert_int_eq(pattern_operation_writes(pattern_operation_find(operations[_i].operation),
                                              tree_of(operations[_i].request)),
                     operations[_i].writes);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, reads_a_whole_file);
    tcase_add_loop_test(tc, says_what_is_wrong_and_where, 0, COUNT(faults));
    tcase_add_loop_test(tc, fills_in_values_prefix_and_answers, 0, COUNT(requests));
    tcase_add_loop_test(tc, writes_the_command_of_a_request, 0, COUNT(commands));
    tcase_add_test(tc, ends_a_command_with_the_files_arguments);
    tcase_add_loop_test(tc, knows_what_may_write, 0, COUNT(operations));
}

UNIT_TESTS(pattern_file, add_tests)
