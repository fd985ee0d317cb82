#include "unit.h"

#include "awscli/awscli_print.h"
#include "awscli/awscli_shell.h"
#include "awscli/awscli_why.h"
#include "wire/json.h"

static char *const *words_of(const char *line)
{
    struct awscli_lines lines;
    const char *problem = awscli_shell_read(arena, span_of(line), "/home/me", &lines);

    ck_assert_msg(!problem, "%s: %s", line, problem);
    ck_assert_uint_eq(lines.len, 1);
    return lines.at[0];
}

/* --- words of a shell ------------------------------------------------------------------------- */

/* Words in brackets, commands ended by ";". */
static const struct {
    const char *text, *words;
} shell_lines[] = {
    {"aws a b", "[aws][a][b];"},
    {"  aws\ta  ", "[aws][a];"},
    {"aws \\\n  a \\\r\n b\n", "[aws][a][b];"},
    {"aws 'a b' \"c d\" e'f'\"g\"", "[aws][a b][c d][efg];"},
    {"aws '' \"\"", "[aws][][];"},
    {"aws 'a\\b' \"a\\b\\\"\\\\\" a\\ b", "[aws][a\\b][a\\b\"\\][a b];"},
    {"aws \"a\\\nb\"", "[aws][ab];"},
    {"aws a'''b'''c", "[aws][abc];"},
    {"aws '{\n \"a\": 1\n}'", "[aws][{\n \"a\": 1\n}];"},
    {"aws ~/a ~ a~ '~'", "[aws][/home/me/a][/home/me][a~][~];"},
    {"# first\naws a # rest\naws b#c", "[aws][a];[aws][b#c];"},
    {"aws a; aws b && aws c", "[aws][a];[aws][b];[aws][c];"},
    {"$ aws a", "[aws][a];"},
    {"aws \"a $ b\" c$", "[aws][a $ b][c$];"},
    {"aws a*b [c]", "[aws][a*b][[c]];"},
    {"\n \n", ""},
};

START_TEST(splits_as_a_shell_does)
{
    struct awscli_lines lines;
    const char *problem = awscli_shell_read(arena, span_of(shell_lines[_i].text), "/home/me",
                                            &lines);
    struct buf out = buf_in(arena);

    ck_assert_msg(!problem, "%s: %s", shell_lines[_i].text, problem);
    for (size_t i = 0; i < lines.len; i++) {
        for (char **word = lines.at[i]; *word; word++)
            buf_printf(&out, "[%s]", *word);
        buf_add_char(&out, ';');
    }
    ck_assert_str_eq(buf_text(&out), shell_lines[_i].words);
}
END_TEST

static const struct {
    const char *text, *problem;
} no_lines[] = {
    {"aws 'a", "a quote (') is not closed"},
    {"aws \"a'", "a quote (\") is not closed"},
    {"aws $(date)", "$(…) is for a shell: write what it stands for in its place"},
    {"aws \"x${HOME}\"", "${…} is for a shell: write what it stands for in its place"},
    {"aws $KEY", "$KEY is for a shell: write what it stands for in its place"},
    {"aws `date`", "`…` is for a shell: write what it stands for in its place"},
    {"aws a | jq .", "| is for a shell: give the command alone"},
    {"aws a > b", "> is for a shell: give the command alone"},
    {"(aws a)", "( is for a shell: give the command alone"},
};

START_TEST(refuses_what_only_a_shell_can_do)
{
    struct awscli_lines lines;
    const char *problem = awscli_shell_read(arena, span_of(no_lines[_i].text), NULL, &lines);

    ck_assert_msg(problem != NULL, "%s is taken", no_lines[_i].text);
    ck_assert_str_eq(problem, no_lines[_i].problem);
}
END_TEST

/* --- requests --------------------------------------------------------------------------------- */

static const struct {
    const char *line, *operation, *request;
} requests[] = {
    {"aws dynamodb list-tables", "ListTables", "{}"},
    {"aws --profile p dynamodb --region r list-tables --output text", "ListTables", "{}"},
    {"aws dynamodb get-item --table-name t --key '{\"a\":{\"S\":\"b\"}}' --consistent-read",
     "GetItem", "{\"TableName\":\"t\",\"Key\":{\"a\":{\"S\":\"b\"}},\"ConsistentRead\":true}"},
    {"aws dynamodb get-item --table-name=t --key a={N=1}", "GetItem",
     "{\"TableName\":\"t\",\"Key\":{\"a\":{\"N\":\"1\"}}}"},
    {"aws dynamodb query --table t --no-scan --limit 3", "Query",
     "{\"TableName\":\"t\",\"ScanIndexForward\":false,\"Limit\":3}"},
    {"aws dynamodb query --table-name t --limit 3 --limit 4", "Query",
     "{\"TableName\":\"t\",\"Limit\":4}"},
    {"aws dynamodb query --table-name t --filter-expression '-1 < a'", "Query",
     "{\"TableName\":\"t\",\"FilterExpression\":\"-1 < a\"}"},
    {"aws dynamodb scan --table-name t --attributes-to-get a b", "Scan",
     "{\"TableName\":\"t\",\"AttributesToGet\":[\"a\",\"b\"]}"},
    {"aws dynamodb scan --table-name t --attributes-to-get '[\"a\"]'", "Scan",
     "{\"TableName\":\"t\",\"AttributesToGet\":[\"a\"]}"},
    {"aws dynamodb put-item --table-name t --item "
     "a={BOOL=true},b={L=[{S=x},{NULL=true}]},c={SS=[d,e]}",
     "PutItem",
     "{\"TableName\":\"t\",\"Item\":{\"a\":{\"BOOL\":true},\"b\":{\"L\":[{\"S\":\"x\"},{\"NULL\":"
     "true}]},\"c\":{\"SS\":[\"d\",\"e\"]}}}"},
    {"aws dynamodb put-item --table-name t --item \"a={S='x, y'},b={S=\\\"q=r\\\"},c={SS=one}\"",
     "PutItem",
     "{\"TableName\":\"t\",\"Item\":{\"a\":{\"S\":\"x, y\"},\"b\":{\"S\":\"q=r\"},\"c\":{\"SS\":["
     "\"one\"]}}}"},
    {"aws dynamodb tag-resource --resource-arn r --tags Key=a,Value=b Key=c,Value=", "TagResource",
     "{\"ResourceArn\":\"r\",\"Tags\":[{\"Key\":\"a\",\"Value\":\"b\"},{\"Key\":\"c\",\"Value\":"
     "\"\"}]}"},
    {"aws dynamodb update-table --table-name tbl --provisioned-throughput "
     "ReadCapacityUnits=5,WriteCapacityUnits=07",
     "UpdateTable",
     "{\"TableName\":\"tbl\",\"ProvisionedThroughput\":{\"ReadCapacityUnits\":5,"
     "\"WriteCapacityUnits\":7}}"},
    {"aws dynamodb describe-table --cli-input-json '{\"TableName\":\"a\"}' --table-name bbb",
     "DescribeTable", "{\"TableName\":\"bbb\"}"},
    {"aws dynamodbstreams list-streams --limit 5", "ListStreams", "{\"Limit\":5}"},
    {"aws dynamodb wait table-exists --table-name tbl", "DescribeTable", "{\"TableName\":\"tbl\"}"},
};

#define IMPORT                                                                             \
    "aws dynamodb import-table --s3-bucket-source S3Bucket=b --input-format CSV"           \
    " --table-creation-parameters TableName=Tab,BillingMode=PAY_PER_REQUEST,"              \
    "KeySchema=[{AttributeName=pk,KeyType=HASH}],AttributeDefinitions=[{AttributeName=pk," \
    "AttributeType=S}]"

/* The token of an import, copied; each command without one sends a new one. */
static const char *token_of(const char *line)
{
    struct awscli_command c = {.op = NULL};
    const struct awscli_refusal *refusal = awscli_command_read(arena, words_of(line), &c);
    const wire_node *request;

    ck_assert_msg(!refusal, "%s: %s", line, refusal ? refusal->text : "");
    ck_assert(json_parse(arena, c.request, &request));
    return arena_text(arena, wire_text(json_member(request, SPAN_LIT("ClientToken"))));
}

START_TEST(a_token_that_is_not_given_is_made_up)
{
    const char *token = token_of(IMPORT);

    ck_assert_uint_eq(strlen(token), 36);
    ck_assert_str_ne(token, token_of(IMPORT));
    ck_assert_str_eq(token_of(IMPORT " --client-token mine"), "mine");
}
END_TEST

START_TEST(commands_are_requests)
{
    const struct awscli_refusal *refusal;
    struct awscli_command c = {.op = NULL};
    const wire_node *made, *wanted;

    refusal = awscli_command_read(arena, words_of(requests[_i].line), &c);
    ck_assert_msg(!refusal, "%s: %s", requests[_i].line, refusal ? refusal->text : "");
    ck_assert_str_eq(c.op->name, requests[_i].operation);
    ck_assert(json_parse(arena, c.request, &made));
    ck_assert(json_parse(arena, span_of(requests[_i].request), &wanted));
    ck_assert_msg(json_equal(made, wanted), "%.*s", SPAN_ARG(c.request));
}
END_TEST

#define USAGE                                                                       \
    "usage: aws [options] <command> <subcommand> [<subcommand> ...] [parameters]\n" \
    "To see help text, you can run:\n\n  aws help\n  aws <command> help\n"          \
    "  aws <command> <subcommand> help\n\n"

static const struct {
    const char *line;
    int status;
    const char *text;
} refused[] = {
    {"aws", AWSCLI_MISUSE, USAGE "aws: error: the following arguments are required: command\n"},
    {"aws dynamodb", AWSCLI_MISUSE,
     USAGE "aws: error: the following arguments are required: operation\n"},
    {"aws dynamodb get-item", AWSCLI_MISUSE,
     USAGE "aws: error: the following arguments are required: --table-name, --key\n"},
    {"aws dynamodb list-tables --foo a", AWSCLI_MISUSE, USAGE "Unknown options: --foo, a\n"},
    {"aws dynamodb scan --table-name t --consistent-read true", AWSCLI_MISUSE,
     USAGE "Unknown options: true\n"},
    {"aws dynamodb scan --table-name", AWSCLI_MISUSE,
     USAGE "aws: error: argument --table-name: expected one argument\n"},
    {"aws dynamodb query --table-name t --query Items", AWSCLI_MISUSE,
     USAGE "aws: error: argument --query: not known here, leave it out\n"},
    {"aws dynamodb query --table-name t --expr x", AWSCLI_MISUSE,
     USAGE "aws: error: ambiguous option: --expr could match --expression-attribute-names, "
           "--expression-attribute-values\n"},
    {"aws dynamodb scan --table-name t --limit x", AWSCLI_FAILED,
     "invalid literal for int() with base 10: 'x'"},
    {"aws dynamodb scan --table-name t --max-items x", AWSCLI_MISUSE,
     USAGE "aws: error: argument --max-items: invalid int value: 'x'\n"},
    {"aws dynamodb scan --table-name t --no-paginate --max-items 5", AWSCLI_MISUSE,
     "Cannot specify --no-paginate along with pagination arguments: --max-items"},
    {"aws dynamodb scan --table-name t --limit 0", AWSCLI_MISUSE,
     "Parameter validation failed:\n"
     "Invalid value for parameter Limit, value: 0, valid min value: 1"},
    {"aws dynamodb get-item --table-name t --key '{\"a\":{\"N\":5}}'", AWSCLI_MISUSE,
     "Parameter validation failed:\nInvalid type for parameter Key.a.N, value: 5, type: <class "
     "'int'>, valid types: <class 'str'>"},
    {"aws dynamodb get-item --table-name t --key '{\"a\":\"b\"}'", AWSCLI_MISUSE,
     "Parameter validation failed:\nInvalid type for parameter Key.a, value: b, type: <class "
     "'str'>, valid types: <class 'dict'>"},
    {"aws dynamodb get-item --table-name t --key '{\"a\":{\"X\":\"b\"}}'", AWSCLI_MISUSE,
     "Parameter validation failed:\nUnknown parameter in Key.a: \"X\", must be one of: S, N, B, "
     "SS, NS, BS, M, L, NULL, BOOL"},
    {"aws dynamodb get-item --table-name t --key a", AWSCLI_MISUSE,
     "Error parsing parameter '--key': Expected: '=', received: 'EOF' for input:\na\n ^"},
    {"aws dynamodb get-item --table-name t --key 'a={S=b'", AWSCLI_MISUSE,
     "Error parsing parameter '--key': Expected: ',', received: 'EOF' for input:\na={S=b\n"
     "      ^"},
    {"aws dynamodb get-item --table-name t --key a=1,a=2", AWSCLI_MISUSE,
     "Error parsing parameter '--key': Second instance of key \"a\" encountered for input:\n"
     "a=1,a=2\n    ^\nThis is often because there is a preceding \",\" instead of a space."},
    {"aws dynamodb get-item --table-name t --key '[1]'", AWSCLI_MISUSE,
     "Error parsing parameter '--key': Invalid JSON:\n[1]"},
    {"aws dynamodb get-item --table-name t --key file:///no/such", AWSCLI_MISUSE,
     "Error parsing parameter '--key': Unable to load paramfile file:///no/such: [Errno 2] No such "
     "file or directory: '/no/such'"},
};

START_TEST(what_the_cli_refuses_is_refused_in_its_words)
{
    struct awscli_command c = {.op = NULL};
    const struct awscli_refusal *refusal = awscli_command_read(arena, words_of(refused[_i].line),
                                                               &c);

    ck_assert_msg(refusal != NULL, "%s is taken", refused[_i].line);
    ck_assert_str_eq(refusal->text, refused[_i].text);
    ck_assert_int_eq(refusal->status, refused[_i].status);
}
END_TEST

/* --- pages ------------------------------------------------------------------------------------ */

static const char *const three_pages[] = {
    ("{'Items':[{'a':{'N':'1'}},{'a':{'N':'2'}}],'Count':2,'ScannedCount':3,"
     "'LastEvaluatedKey':{'a':{'N':'2'}}}"),
    "{'Items':[],'Count':0,'ScannedCount':3,'LastEvaluatedKey':{'a':{'N':'3'}}}",
    "{'Items':[{'a':{'N':'4'}}],'Count':1,'ScannedCount':1}",
};

static const wire_node *answer_of(const char *text)
{
    char *json = arena_text(arena, span_of(text));
    const wire_node *node;

    for (char *c = json; *c; c++)
        *c = *c == '\'' ? '"' : *c;
    ck_assert(json_parse(arena, span_of(json), &node));
    return node;
}

static const char *tried(const char *line, size_t *asked)
{
    struct awscli_command c = {.op = NULL};
    const struct awscli_refusal *refusal = awscli_command_read(arena, words_of(line), &c);
    struct awscli_pages *pages;
    struct buf out = buf_in(arena);

    ck_assert_ptr_null(refusal);
    pages = awscli_pages_new(arena, &c, &refusal);
    ck_assert_ptr_nonnull(pages);
    *asked = 0;
    do {
        ck_assert_uint_lt(*asked, COUNT(three_pages));
    } while (awscli_pages_take(pages, answer_of(three_pages[(*asked)++])));
    awscli_print(&out, &c, pages);
    return buf_text(&out);
}

START_TEST(pages_are_put_together)
{
    size_t asked;
    const char *printed = tried("aws dynamodb scan --table-name t", &asked);

    ck_assert_uint_eq(asked, 3);
    ck_assert_ptr_nonnull(strstr(printed, "    ],\n    \"Count\": 3,\n    \"ScannedCount\": 7,\n"
                                          "    \"ConsumedCapacity\": null\n}\n"));
    printed = tried("aws dynamodb scan --table-name t --max-items 1", &asked);
    ck_assert_uint_eq(asked, 1);
    /* {"ExclusiveStartKey": null, "boto_truncate_amount": 1} */
    ck_assert_ptr_nonnull(strstr(printed, "\"NextToken\": \"eyJFeGNsdXNpdmVTdGFydEtleSI6IG51bGwsIC"
                                          "Jib3RvX3RydW5jYXRlX2Ftb3VudCI6IDF9\""));
    (void)tried("aws dynamodb scan --table-name t --max-items 2", &asked);
    ck_assert_uint_eq(asked, 1);
    (void)tried("aws dynamodb scan --table-name t --limit 2", &asked);
    ck_assert_uint_eq(asked, 1);
}
END_TEST

/* What a newer service answers is not lost: each row's answer, and what is printed of it. */
static const struct {
    const char *line, *answer, *printed;
} newer[] = {
    {"aws dynamodb describe-table --table-name tbl",
     "{'Soon':[1],'Table':{'Soon':{'B':1,'A':2},'TableName':'tbl','KeySchema':[{'KeyType':'HASH',"
     "'Soon':null,'AttributeName':'pk'}]}}",
     "{'Table':{'TableName':'tbl','KeySchema':[{'AttributeName':'pk','KeyType':'HASH',"
     "'Soon':null}],'Soon':{'B':1,'A':2}},'Soon':[1]}"},
    {"aws dynamodb get-item --table-name tbl --key a={S=b}",
     "{'ConsumedCapacity':{'VectorIndexes':{'V':{'Soon':1,'VectorSearchRequestBytes':2}},'"
     "TableName':'tbl'}}",
     "{'ConsumedCapacity':{'TableName':'tbl','VectorIndexes':{'V':{'VectorSearchRequestBytes':2,'"
     "Soon':1}}}}"},
    {"aws dynamodb list-backups", "{'BackupSummaries':[{'Soon':true,'BackupName':'b'}]}",
     "{'BackupSummaries':[{'BackupName':'b','Soon':true}]}"},
    {"aws dynamodb scan --table-name tbl",
     "{'Items':[],'ConsumedCapacity':{'Soon':1,'TableName':'tbl'}}",
     "{'Items':[],'ConsumedCapacity':{'TableName':'tbl','Soon':1}}"},
};

START_TEST(prints_members_of_a_newer_service)
{
    struct awscli_command c = {.op = NULL};
    const struct awscli_refusal *refusal;
    struct awscli_pages *pages;
    struct buf out = buf_in(arena), again = buf_in(arena);
    const wire_node *printed;

    ck_assert_ptr_null(awscli_command_read(arena, words_of(newer[_i].line), &c));
    pages = awscli_pages_new(arena, &c, &refusal);
    ck_assert_ptr_nonnull(pages);
    (void)awscli_pages_take(pages, answer_of(newer[_i].answer));
    awscli_print(&out, &c, pages);
    ck_assert(json_parse(arena, buf_span(&out), &printed));
    json_write(&again, printed); /* in the order in which it was printed */
    out = buf_in(arena);
    json_write(&out, answer_of(newer[_i].printed));
    ck_assert_str_eq(buf_text(&again), buf_text(&out));
}
END_TEST

/* --- why it is refused ------------------------------------------------------------------------ */

static const struct {
    const char *line, *why; /* begins so; NULL: nothing is known */
} whys[] = {
    {"aws dynamodb get-item --table-name T --key '{\u201cpk\u201d: 1}'", "\u201c is a curly quote"},
    {"aws dynamodb get-item --table-name T --key \\''{pk:'", "the quote ' came through"},
    {"aws dynamodb get-item --table-name T --key '{pk: {S: x}}'", "the double quotes of the JSON"},
    {"aws dynamodb get-item --table-name T --key '{\\\"pk\\\": 1}'", "the backslashes came"},
    {"aws dynamodb get-item --table-name T --key \"{'pk': {'S': 'x'}}\"",
     "JSON takes double quotes"},
    {"aws dynamodb get-item --table-name T --key '{\"pk\": {\"BOOL\": True}}'", "JSON writes true"},
    {"aws dynamodb get-item --table-name T --key '{\"pk\": {\"S\": \"x\"},}'", "JSON has no comma"},
    {"aws dynamodb get-item --table-name T --key '{\"pk\": \"x\"}'",
     "pk has no type: write {\"S\": \"x\"}"},
    {"aws dynamodb get-item --table-name T --key '{\"pk\": 5}'",
     "pk has no type: write {\"N\": \"5\"}"},
    {"aws dynamodb get-item --table-name T --key '{\"pk\": {\"N\": 5}}'",
     "pk: numbers stand in quotes, {\"N\": \"5\"}"},
    {"aws dynamodb put-item --table-name T --item '{\"a\": {\"M\": {\"b\": {\"BOOL\": \"x\"}}}}'",
     "b: BOOL takes true or false"},
    {"aws dynamodb put-item --table-name T --item '{\"a\": {\"L\": [null]}}'",
     "a has no type: write {\"NULL\": true}"},
    {"aws dynamodb put-item --table-name T --item '{\"a\": {\"s\": \"x\"}}'", "a: s is no type"},
    {"aws dynamodb put-item --table-name T --item '{\"a\": {\"SS\": \"x\"}}'",
     "a: SS takes a list"},
    {"aws dynamodb query --table-name T --key '{}'", "a query is asked by --key-condition"},
    {"aws dynamodb get-item --table-name T --index-name I --key '{}'", "get-item reads the table"},
    {"aws dynamodb scan --table-name T --filter-expresion a",
     "there is no --filter-expresion; there "
     "is --filter-expression"},
    {"aws dynamodb scan --table-name T --update-expression a",
     "scan has no --update-expression: update-item has it"},
    {"aws dynamodb query --table-name T --scan-index-forward false",
     "--scan-index-forward takes no value: --no-scan-index-forward"},
    {"aws dynamodb query --table-name T --consistent-read true",
     "--consistent-read takes no value: leave true out"},
    {"aws dynamodb get-items", "there is no get-items; there is get-item"},
    {"aws dynamodb nothing-like-it", NULL},
    {"aws dynamodb get-item --table-name T", NULL},
};

START_TEST(says_why_a_line_is_refused)
{
    struct awscli_command c;
    const struct awscli_refusal *r = awscli_command_read(arena, words_of(whys[_i].line), &c);

    ck_assert_ptr_nonnull(r);
    ck_assert_msg((r->why != NULL) == (whys[_i].why != NULL), "%s: %s", whys[_i].line,
                  r->why ? r->why : "nothing");
    if (r->why)
        ck_assert_msg(strncmp(r->why, whys[_i].why, strlen(whys[_i].why)) == 0, "%s", r->why);
}
END_TEST

START_TEST(knows_what_is_no_command)
{
    ck_assert_ptr_nonnull(awscli_why_no_command("{\"TableName\": \"T\"}"));
    ck_assert_ptr_nonnull(awscli_why_no_command("await c.send(new GetCommand({}))"));
    ck_assert_ptr_nonnull(awscli_why_no_command("table.query(Key('pk').eq('x'))"));
    ck_assert_ptr_null(awscli_why_no_command("aws dynamodb list-tables"));
    ck_assert_ptr_null(awscli_why_no_command("$ aws dynamodb list-tables"));
    ck_assert_ptr_nonnull(awscli_why_of_token("{\"pk\": {\"S\": \"x\"}}"));
    ck_assert_ptr_null(awscli_why_of_token("x"));
    ck_assert_ptr_null(awscli_why_of_token(NULL));
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, says_why_a_line_is_refused, 0, COUNT(whys));
    tcase_add_test(tc, knows_what_is_no_command);
    tcase_add_loop_test(tc, splits_as_a_shell_does, 0, COUNT(shell_lines));
    tcase_add_loop_test(tc, refuses_what_only_a_shell_can_do, 0, COUNT(no_lines));
    tcase_add_loop_test(tc, commands_are_requests, 0, COUNT(requests));
    tcase_add_test(tc, a_token_that_is_not_given_is_made_up);
    tcase_add_loop_test(tc, what_the_cli_refuses_is_refused_in_its_words, 0, COUNT(refused));
    tcase_add_test(tc, pages_are_put_together);
    tcase_add_loop_test(tc, prints_members_of_a_newer_service, 0, COUNT(newer));
}

int main(void)
{
    return unit_run("awscli", add_tests);
}
