#include "unit.h"

#include <stdlib.h>
#include <time.h>

#include "awscli/awscli_moment.h"
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
    {"aws ^\r\n  a ^\n b", "[aws][a][b];"}, /* cmd.exe */
    {"aws `\n  a `\r\n b", "[aws][a][b];"}, /* PowerShell */
    {"aws a^b ^c d^", "[aws][a^b][^c][d^];"},
    {"aws '`' '^\n' a\\  b", "[aws][`][^\n][a ][b];"},
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
    {"aws $(date)", "$(…) is for a shell: write its value instead"},
    {"aws \"x${HOME}\"", "${…} is for a shell: write its value instead"},
    {"aws $KEY", "$KEY is for a shell: write its value instead"},
    {"aws `date`", "`…` is for a shell: write its value instead"},
    {"aws a \\ \n b", "line 1: a blank follows the \\ at its end, so that it does not continue: "
                      "remove the blank"},
    {"aws \\\n a ^\t\r\n b", "line 2: a blank follows the ^ at its end, so that it does not "
                             "continue: remove the blank"},
    {"aws ` \n a", "line 1: a blank follows the ` at its end, so that it does not continue: remove "
                   "the blank"},
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
    {"aws --query a dynamodb query --table-name t --query 'Items[].pk.S'", "Query",
     "{\"TableName\":\"t\"}"},
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
    /* moments are sent as numbers, wherever they are */
    {"aws dynamodb list-backups --time-range-lower-bound 2020-01-01 --time-range-upper-bound "
     "'Jan 1 2020 01:00'",
     "ListBackups", "{\"TimeRangeLowerBound\":1577836800,\"TimeRangeUpperBound\":1577840400}"},
    {"aws dynamodb list-backups --cli-input-json '{\"TimeRangeLowerBound\":\"2020-01-01T00:00Z\","
     "\"TimeRangeUpperBound\":1577836800.9}'",
     "ListBackups", "{\"TimeRangeLowerBound\":1577836800,\"TimeRangeUpperBound\":1577836800}"},
    {"aws dynamodb export-table-to-point-in-time --table-arn a --s3-bucket b --client-token t "
     "--incremental-export-specification ExportFromTime=2020-01-01,ExportToTime=1577840400",
     "ExportTableToPointInTime",
     "{\"TableArn\":\"a\",\"S3Bucket\":\"b\",\"ClientToken\":\"t\","
     "\"IncrementalExportSpecification\":"
     "{\"ExportFromTime\":1577836800,\"ExportToTime\":1577840400}}"},
    {"aws dynamodb restore-table-to-point-in-time --source-table-name abc --target-table-name def "
     "--restore-date-time 2020-01-01T01:00:00+01:00",
     "RestoreTableToPointInTime",
     "{\"SourceTableName\":\"abc\",\"TargetTableName\":\"def\","
     "\"RestoreDateTime\":1577836800}"},
    {"aws dynamodb put-item --table-name tbl --item '{\"a\":{\"S\":\"2020-01-01\"}}'", "PutItem",
     "{\"TableName\":\"tbl\",\"Item\":{\"a\":{\"S\":\"2020-01-01\"}}}"},
    {"aws dynamodbstreams list-streams --limit 5", "ListStreams", "{\"Limit\":5}"},
    {"aws dynamodb wait table-exists --table-name tbl", "DescribeTable", "{\"TableName\":\"tbl\"}"},
};

#define IMPORT                                                                             \
    "aws dynamodb import-table --s3-bucket-source S3Bucket=b --input-format CSV"           \
    " --table-creation-parameters TableName=Tab,BillingMode=PAY_PER_REQUEST,"              \
    "KeySchema=[{AttributeName=pk,KeyType=HASH}],AttributeDefinitions=[{AttributeName=pk," \
    "AttributeType=S}]"

#define EXPORT "aws dynamodb export-table-to-point-in-time --table-arn a --s3-bucket b"

/* The token of an import or an export, copied; each command without one sends a new one. */
static const char *token_of(const char *line)
{
    struct awscli_command c = {.op = NULL};
    const struct problem *problem = awscli_command_read(arena, words_of(line), AWSCLI_FILES, &c);
    const wire_node *request;

    ck_assert_msg(!problem, "%s: %s", line, problem ? problem->text : "");
    ck_assert(json_parse(arena, c.request, &request));
    return arena_text(arena, wire_text(json_member(request, SPAN_LIT("ClientToken"))));
}

START_TEST(a_token_that_is_not_given_is_made_up)
{
    const char *token = token_of(IMPORT);

    ck_assert_uint_eq(strlen(token), 36);
    ck_assert_str_ne(token, token_of(IMPORT));
    ck_assert_str_eq(token_of(IMPORT " --client-token mine"), "mine");
    ck_assert_uint_eq(strlen(token_of(EXPORT)), 36);
    ck_assert_str_eq(token_of(EXPORT " --client-token mine"), "mine");
    ck_assert_str_eq(token_of(EXPORT " --cli-input-json '{\"ClientToken\":\"mine\"}'"), "mine");
}
END_TEST

/* Of the operations of DynamoDB, as the service's model marks members as idempotency tokens. */
START_TEST(tokens_are_those_of_the_model)
{
    struct buf found = buf_in(arena);
    const struct op *op;

    for (size_t i = 0; (op = op_at(OP_DYNAMODB, i)); i++)
        for (const struct wire_member *m = op->members; m && m->name; m++)
            if (m->shape->client_fills)
                buf_printf(&found, "%s.%s ", op->name, m->name);
    ck_assert_str_eq(buf_text(&found),
                     "ExecuteTransaction.ClientRequestToken ExportTableToPointInTime.ClientToken "
                     "ImportTable.ClientToken StartBulkPutItems.ClientToken "
                     "TransactWriteItems.ClientRequestToken ");
}
END_TEST

START_TEST(commands_are_requests)
{
    const struct problem *problem;
    struct awscli_command c = {.op = NULL};
    const wire_node *made, *wanted;

    problem = awscli_command_read(arena, words_of(requests[_i].line), AWSCLI_FILES, &c);
    ck_assert_msg(!problem, "%s: %s", requests[_i].line, problem ? problem->text : "");
    ck_assert_str_eq(c.op->name, requests[_i].operation);
    ck_assert(json_parse(arena, c.request, &made));
    ck_assert(json_parse(arena, span_of(requests[_i].request), &wanted));
    ck_assert_msg(json_equal(made, wanted), "%.*s", SPAN_ARG(c.request));
}
END_TEST

/* --- moments ---------------------------------------------------------------------------------- */

#define NEW_YEAR 1577836800 /* 2020-01-01 */
#define TODAY    1709208000 /* Thursday, 2024-02-29, at noon */
#define DAY      86400
#define REFUSED  INT64_MIN

/* As Python's dateutil 2.8 reads them. */
static const struct {
    const char *text;
    int64_t seconds;
} moments[] = {
    /* numbers */
    {"1577836800", NEW_YEAR},
    {" 1577836800.9 ", NEW_YEAR},
    {"-0.5", -1},
    {"1.5e9", 1500000000},
    {"1_000", 1000},
    {"20200101", 20200101},
    {"20200101000000", NEW_YEAR},
    {"nan", REFUSED},
    {"0x10", REFUSED},
    {"1e300", REFUSED},
    /* ISO 8601 */
    {"2020-01-01", NEW_YEAR},
    {"2020-01-01T00:00:00Z", NEW_YEAR},
    {"2020-01-01 00:00", NEW_YEAR},
    {"2020-01-01T00:00:00.999999", NEW_YEAR},
    {"2020-01-01T00:00:00,5", NEW_YEAR},
    {"2020-01-01T01:00:00+01:00", NEW_YEAR},
    {"2019-12-31T19:00-0500", NEW_YEAR},
    {"2020-01-01T05:30+5:30", NEW_YEAR},
    {"20200101T000000", NEW_YEAR},
    {"20200101T00Z", NEW_YEAR},
    {"2020-01", NEW_YEAR + 28 * DAY}, /* today's day */
    {"2020", 2020},                   /* a number */
    {"2020-02-30", REFUSED},
    {"2020-13-01", REFUSED},
    {"2020-01-01T24:00", REFUSED},
    {"2020-01-01T00:00:60", REFUSED},
    {"2020-01-01T00:00+25:00", REFUSED},
    {"2020-01-01T00:00+", REFUSED},
    {"2020-001", REFUSED},
    {"10000-01-01", REFUSED},
    /* other forms */
    {"Wed, 01 Jan 2020 00:00:00 GMT", NEW_YEAR},
    {"Jan 1 2020", NEW_YEAR},
    {"1st of january 2020 at 12 am", NEW_YEAR},
    {"01/01/2020", NEW_YEAR},
    {"13/01/2020", NEW_YEAR + 12 * DAY},
    {"01/13/20", NEW_YEAR + 12 * DAY},
    {"2020/1/1 2pm", NEW_YEAR + 14 * 3600},
    {"1.1.2020", NEW_YEAR},
    {"20-Jan-1", 979948800}, /* 2001-01-20 */
    {"Jan of 20", NEW_YEAR + 28 * DAY},
    {"Tue Mar  3 09:15:16 -0500 (EST) 2020", NEW_YEAR + 62 * DAY + 14 * 3600 + 916},
    {"2020-01-01 00:00 GMT+3", NEW_YEAR + 3 * 3600},
    {"2020-01-01 00:00 BRST-3", NEW_YEAR - 3 * 3600},
    {"2020-01-01 1h30m5s", NEW_YEAR + 5405},
    {"10:30", TODAY - 5400},
    {"friday", TODAY + DAY / 2},
    {"feb 2023", 1677542400}, /* its last day */
    {"2020-01-01 13 am", REFUSED},
    {"2020-01-01 am", REFUSED},
    {"yesterday", REFUSED},
    {"2020-01-01x", REFUSED},
    {"1 2 3 4", REFUSED},
    {"Jan-", REFUSED},
    {"12:", REFUSED},
    {"99999999999999999999-01-01", REFUSED},
    {"\u0662\u0660", REFUSED},
    {" ,", REFUSED},
    {"", REFUSED},
};

static int64_t moment_of(const char *zone, const char *text)
{
    struct buf json = buf_in(arena);
    const wire_node *node;
    int64_t seconds;

    (void)setenv("TZ", zone, 1);
    tzset();
    buf_add_json_string(&json, span_of(text));
    ck_assert(json_parse(arena, buf_span(&json), &node));
    return awscli_moment_of(arena, node, TODAY, &seconds) ? seconds : REFUSED;
}

START_TEST(reads_moments_as_the_cli_does)
{
    int64_t seconds = moment_of("UTC", moments[_i].text);

    ck_assert_msg(seconds == moments[_i].seconds, "%s: %lld", moments[_i].text, (long long)seconds);
}
END_TEST

START_TEST(knows_the_names_of_the_local_zone)
{
    static const char zone[] = "America/New_York";

    ck_assert_int_eq(moment_of(zone, "2020-01-01 00:00 EST"), NEW_YEAR + 5 * 3600);
    ck_assert_int_eq(moment_of(zone, "2020-07-01 00:00 EDT"), NEW_YEAR + 182 * DAY + 4 * 3600);
    ck_assert_int_eq(moment_of(zone, "2020-01-01"), NEW_YEAR); /* UTC, not local */
}
END_TEST

/* --- files in shorthand syntax ---------------------------------------------------------------- */

/* What stands for FILE holds "Jane é\r\nDoe\n". */
static const struct {
    const char *item, *request; /* or, where it is refused, what is said */
} loaded[] = {
    {"a={S@=FILE}", "{\"a\":{\"S\":\"Jane \u00e9\\nDoe\\n\"}}"},
    {"a={S=FILE}", "{\"a\":{\"S\":\"FILE\"}}"},
    {"a={S@=plain}", "{\"a\":{\"S\":\"plain\"}}"},
    {"a={L=[{S@=\"FILE\"}]},b={S=FILE}",
     "{\"a\":{\"L\":[{\"S\":\"Jane \u00e9\\nDoe\\n\"}]},\"b\":{\"S\":\"FILE\"}}"},
    {"a={SS@=[FILE,b]}", "{\"a\":{\"SS\":[\"Jane \u00e9\\nDoe\\n\",\"b\"]}}"},
    {"a={B@=fileb://PATH}", "{\"a\":{\"B\":\"SmFuZSDDqQ0KRG9lCg==\"}}"},
    {"a={S@=fileb://PATH}",
     "fileb:// is for binary values (B, BS) in shorthand syntax: write file://"},
    {"a={S@=file:///no/such}",
     "Unable to load paramfile file:///no/such: [Errno 2] No such file or "
     "directory: '/no/such'"},
};

/* The text with the file's name in it. */
static struct span with_file(const char *text, const char *path)
{
    struct buf out = buf_in(arena);

    for (const char *c = text; *c; c++) {
        bool file = strncmp(c, "FILE", 4) == 0;

        if (file || strncmp(c, "PATH", 4) == 0) {
            buf_printf(&out, "%s%s", file ? "file://" : "", path);
            c += 3;
        } else {
            buf_add_char(&out, *c);
        }
    }
    return buf_span(&out);
}

static const struct problem *put_item(struct span item, enum awscli_files files,
                                      struct awscli_command *out)
{
    char *const *words = words_of("aws dynamodb put-item --table-name tbl --item ITEM");
    char *with_item[8] = {NULL};

    memcpy(with_item, words, (COUNT(with_item) - 2) * sizeof *words);
    with_item[6] = arena_text(arena, item);
    return awscli_command_read(arena, with_item, files, out);
}

START_TEST(loads_files_into_shorthand)
{
    char folder[UNIT_FOLDER_SIZE];
    const char *path;
    FILE *file;
    struct awscli_command c;
    const struct problem *problem;
    const wire_node *made, *wanted;

    unit_make_folder(folder);
    path = arena_printf(arena, "%s/jane", folder);
    ck_assert_ptr_nonnull(file = fopen(path, "w"));
    ck_assert_int_ge(fputs("Jane \u00e9\r\nDoe\n", file), 0);
    ck_assert_int_eq(fclose(file), 0);
    problem = put_item(with_file(loaded[_i].item, path), AWSCLI_FILES, &c);
    ck_assert_int_eq(remove(path), 0);
    ck_assert_int_eq(remove(folder), 0);
    if (problem) {
        ck_assert_str_eq(problem->text, loaded[_i].request);
        return;
    }
    ck_assert(json_parse(arena, c.request, &made));
    ck_assert(json_parse(arena, with_file(loaded[_i].request, path), &wanted));
    ck_assert_msg(json_equal(wire_get(made, "Item"), wanted), "%.*s", SPAN_ARG(c.request));
}
END_TEST

/* A server reads none, however a value names one. */
START_TEST(loads_no_files_for_others)
{
    static const char *const items[] = {"file:///etc/passwd", "fileb:///etc/passwd",
                                        "a={S@=file:///etc/passwd}", "a={B @ = 'fileb:///etc/x'}",
                                        "a={L=[{SS@=[x,file:///etc/passwd]}]}"};
    const struct problem *problem;
    struct awscli_command c;

    for (size_t i = 0; i < COUNT(items); i++) {
        problem = put_item(span_of(items[i]), AWSCLI_NO_FILES, &c);
        ck_assert_msg(problem && strstr(problem->text, "a server reads no files"), "%s", items[i]);
    }
}
END_TEST

#define USAGE                                                                       \
    "usage: aws [options] <command> <subcommand> [<subcommand> ...] [parameters]\n" \
    "To see help text, you can run:\n\n  aws help\n  aws <command> help\n"          \
    "  aws <command> <subcommand> help\n\n"

static const struct {
    const char *line;
    enum problem_kind kind;
    const char *text;
} refused[] = {
    {"aws", PROBLEM_INVALID, USAGE "aws: error: the following arguments are required: command\n"},
    {"aws dynamodb", PROBLEM_INVALID,
     USAGE "aws: error: the following arguments are required: operation\n"},
    {"aws dynamodb get-item", PROBLEM_INVALID,
     USAGE "aws: error: the following arguments are required: --table-name, --key\n"},
    {"aws dynamodb list-tables --foo a", PROBLEM_INVALID, USAGE "Unknown options: --foo, a\n"},
    {"aws dynamodb scan --table-name t --consistent-read true", PROBLEM_INVALID,
     USAGE "Unknown options: true\n"},
    {"aws dynamodb scan --table-name", PROBLEM_INVALID,
     USAGE "aws: error: argument --table-name: expected one argument\n"},
    {"aws dynamodb query --table-name t --query", PROBLEM_INVALID,
     USAGE "aws: error: argument --query: expected one argument\n"},
    {"aws dynamodb query --table-name t --cli-binary-format base64", PROBLEM_INVALID,
     USAGE "aws: error: argument --cli-binary-format: not known here, leave it out\n"},
    {"aws dynamodb query --table-name t --expr x", PROBLEM_INVALID,
     USAGE "aws: error: ambiguous option: --expr could match --expression-attribute-names, "
           "--expression-attribute-values\n"},
    {"aws dynamodb scan --table-name t --limit x", PROBLEM_FAILED,
     "invalid literal for int() with base 10: 'x'"},
    {"aws dynamodb scan --table-name t --max-items x", PROBLEM_INVALID,
     USAGE "aws: error: argument --max-items: invalid int value: 'x'\n"},
    {"aws dynamodb scan --table-name t --no-paginate --max-items 5", PROBLEM_INVALID,
     "Cannot specify --no-paginate along with pagination arguments: --max-items"},
    {"aws dynamodb scan --table-name t --limit 0", PROBLEM_INVALID,
     "Parameter validation failed:\n"
     "Invalid value for parameter Limit, value: 0, valid min value: 1"},
    {"aws dynamodb get-item --table-name t --key '{\"a\":{\"N\":5}}'", PROBLEM_INVALID,
     "Parameter validation failed:\nInvalid type for parameter Key.a.N, value: 5, type: <class "
     "'int'>, valid types: <class 'str'>"},
    {"aws dynamodb list-backups --time-range-lower-bound soon", PROBLEM_INVALID,
     "Parameter validation failed:\nInvalid type for parameter TimeRangeLowerBound, value: soon, "
     "type: <class 'str'>, valid types: <class 'datetime.datetime'>, timestamp-string"},
    {"aws dynamodb get-item --table-name t --key '{\"a\":{\"N\":5.5}}'", PROBLEM_INVALID,
     "Parameter validation failed:\nInvalid type for parameter Key.a.N, value: 5.5, type: <class "
     "'float'>, valid types: <class 'str'>"},
    {"aws dynamodb get-item --table-name t --key '{\"a\":\"b\"}'", PROBLEM_INVALID,
     "Parameter validation failed:\nInvalid type for parameter Key.a, value: b, type: <class "
     "'str'>, valid types: <class 'dict'>"},
    {"aws dynamodb get-item --table-name t --key '{\"a\":{\"X\":\"b\"}}'", PROBLEM_INVALID,
     "Parameter validation failed:\nUnknown parameter in Key.a: \"X\", must be one of: S, N, B, "
     "SS, NS, BS, M, L, NULL, BOOL"},
    {"aws dynamodb get-item --table-name t --key a", PROBLEM_INVALID,
     "Error parsing parameter '--key': Expected: '=', received: 'EOF' for input:\na\n ^"},
    {"aws dynamodb get-item --table-name t --key 'a={S=b'", PROBLEM_INVALID,
     "Error parsing parameter '--key': Expected: ',', received: 'EOF' for input:\na={S=b\n"
     "      ^"},
    {"aws dynamodb get-item --table-name t --key a=1,a=2", PROBLEM_INVALID,
     "Error parsing parameter '--key': Second instance of key \"a\" encountered for input:\n"
     "a=1,a=2\n    ^\nThis is often because there is a preceding \",\" instead of a space."},
    {"aws dynamodb get-item --table-name t --key \u00e9=1", PROBLEM_INVALID,
     "Error parsing parameter '--key': Expected: '=', received: '\u00e9' for input:\n"
     "\u00e9=1\n^"},
    {"aws dynamodb get-item --table-name t --key 'a={S=\u65e5\u672c}\u8a9e'", PROBLEM_INVALID,
     "Error parsing parameter '--key': Expected: ',', received: '\u8a9e' for input:\n"
     "a={S=\u65e5\u672c}\u8a9e\n        ^"},
    {"aws dynamodb describe-table --table-name \u00e9", PROBLEM_INVALID,
     "Parameter validation failed:\nInvalid length for parameter TableName, value: 1, valid min "
     "length: 3"},
    {"aws dynamodb get-item --table-name t --key '{a: 1}'", PROBLEM_INVALID,
     "Error parsing parameter '--key': Invalid JSON: line 1, column 2: unexpected a: 1}\n"
     "JSON received: {a: 1}"},
    {"aws dynamodb get-item --table-name t --key '{\"a\":\n {\"S\": x'", PROBLEM_INVALID,
     "Error parsing parameter '--key': Invalid JSON: line 2, column 8: unexpected x\n"
     "JSON received: {\"a\":\n {\"S\": x"},
    {"aws dynamodb get-item --table-name t --key '{\"a\":'", PROBLEM_INVALID,
     "Error parsing parameter '--key': Invalid JSON: line 1, column 6: it is incomplete\n"
     "JSON received: {\"a\":"},
    {"aws dynamodb get-item --table-name t --key '[1]'", PROBLEM_INVALID,
     "Error parsing parameter '--key': Invalid JSON:\n[1]"},
    {"aws dynamodb get-item --table-name t --key file:///no/such", PROBLEM_INVALID,
     "Error parsing parameter '--key': Unable to load paramfile file:///no/such: [Errno 2] No such "
     "file or directory: '/no/such'"},
};

START_TEST(what_the_cli_refuses_is_refused_in_its_words)
{
    struct awscli_command c = {.op = NULL};
    const struct problem *problem = awscli_command_read(arena, words_of(refused[_i].line),
                                                        AWSCLI_FILES, &c);

    ck_assert_msg(problem != NULL, "%s is taken", refused[_i].line);
    ck_assert_str_eq(problem->text, refused[_i].text);
    ck_assert_int_eq(problem->kind, refused[_i].kind);
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
    const struct problem *problem = awscli_command_read(arena, words_of(line), AWSCLI_FILES, &c);
    struct awscli_pages *pages;
    struct buf out = buf_in(arena);

    ck_assert_ptr_null(problem);
    ck_assert_ptr_null(awscli_pages_new(arena, &c, &pages));
    *asked = 0;
    do {
        ck_assert_uint_lt(*asked, COUNT(three_pages));
    } while (awscli_pages_take(pages, answer_of(three_pages[(*asked)++])));
    ck_assert_ptr_null(awscli_print(&out, &c, pages));
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
    struct awscli_pages *pages;
    struct buf out = buf_in(arena), again = buf_in(arena);
    const wire_node *printed;

    ck_assert_ptr_null(awscli_command_read(arena, words_of(newer[_i].line), AWSCLI_FILES, &c));
    ck_assert_ptr_null(awscli_pages_new(arena, &c, &pages));
    (void)awscli_pages_take(pages, answer_of(newer[_i].answer));
    ck_assert_ptr_null(awscli_print(&out, &c, pages));
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
    {"aws dynamodb scan \u2013table-name T", "\u2013 is a dash"},
    {"aws dynamodb scan -\u2014table-name T", "\u2014 is a dash"},
    {"aws dynamodb scan --table-name", NULL},
    {"aws dynamodb scan \u2013 5", NULL},
    {"aws dynamodb scan --table-name\u00a0T", "a no-break space"},
    {"aws dynamodb scan\u00a0--table-name T", "a no-break space"},
    {"aws dynamodb\u3000scan --table-name T", "a wide space"},
    {"aws dynamodb get-item --table-name T --filter-expression x --key 'a\u00a0b'",
     "get-item returns the whole item"},
    {"aws dynamodb get-item --table-name T --key '{\"pk\":\u00a0{\"S\": \"x\"}}'",
     "a no-break space (U+00A0) is between"},
    {"aws dynamodb get-item --table-name T --key '{\"p\\\\\u00a0\": {\"S\": True}}'",
     "JSON writes"},
    {"aws dynamodb scan '^'", "^ continues lines in cmd.exe"},
    {"aws dynamodb scan ' '", "a blank follows the \\"},
    {"aws dynamodb get-item --table-name T --key \\''{pk:'", "the quote ' came through"},
    {"aws dynamodb get-item --table-name T --key '{pk: {S: x}}'", "the shell removed the double"},
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
     "pk: numbers are written in quotes, {\"N\": \"5\"}"},
    {"aws dynamodb put-item --table-name T --item '{\"a\": {\"M\": {\"b\": {\"BOOL\": \"x\"}}}}'",
     "b: BOOL takes true or false"},
    {"aws dynamodb put-item --table-name T --item '{\"a\": {\"L\": [null]}}'",
     "a has no type: write {\"NULL\": true}"},
    {"aws dynamodb put-item --table-name T --item '{\"a\": {\"s\": \"x\"}}'", "a: s is not a type"},
    {"aws dynamodb put-item --table-name T --item '{\"a\": {\"SS\": \"x\"}}'",
     "a: SS takes a list"},
    {"aws dynamodb query --table-name T --key '{}'", "a query takes --key-condition"},
    {"aws dynamodb get-item --table-name T --index-name I --key '{}'",
     "get-item reads only the table"},
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
    {"dynamodb list-tables", "aws is missing: aws dynamodb list-tables"},
    {"aws dynamodb nothing-like-it", NULL},
    {"aws dynamodb get-item --table-name T", NULL},
};

START_TEST(says_why_a_line_is_refused)
{
    struct awscli_command c;
    const struct problem *r = awscli_command_read(arena, words_of(whys[_i].line), AWSCLI_FILES, &c);

    ck_assert_ptr_nonnull(r);
    ck_assert_msg((r->hint != NULL) == (whys[_i].why != NULL), "%s: %s", whys[_i].line,
                  r->hint ? r->hint : "nothing");
    if (r->hint)
        ck_assert_msg(strncmp(r->hint, whys[_i].why, strlen(whys[_i].why)) == 0, "%s", r->hint);
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
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, says_why_a_line_is_refused, 0, COUNT(whys));
    tcase_add_test(tc, knows_what_is_no_command);
    tcase_add_loop_test(tc, splits_as_a_shell_does, 0, COUNT(shell_lines));
    tcase_add_loop_test(tc, refuses_what_only_a_shell_can_do, 0, COUNT(no_lines));
    tcase_add_loop_test(tc, commands_are_requests, 0, COUNT(requests));
    tcase_add_loop_test(tc, reads_moments_as_the_cli_does, 0, COUNT(moments));
    tcase_add_test(tc, knows_the_names_of_the_local_zone);
    tcase_add_loop_test(tc, loads_files_into_shorthand, 0, COUNT(loaded));
    tcase_add_test(tc, loads_no_files_for_others);
    tcase_add_test(tc, a_token_that_is_not_given_is_made_up);
    tcase_add_test(tc, tokens_are_those_of_the_model);
    tcase_add_loop_test(tc, what_the_cli_refuses_is_refused_in_its_words, 0, COUNT(refused));
    tcase_add_test(tc, pages_are_put_together);
    tcase_add_loop_test(tc, prints_members_of_a_newer_service, 0, COUNT(newer));
}

UNIT_TESTS(awscli, add_tests)
