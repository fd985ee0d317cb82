#include "unit.h"

#include "templates/template.h"

#define TABLE "Resources:\n  A:\n    Type: AWS::DynamoDB::Table\n    Properties:\n"

/* A template, and its first table's requests, or what is wrong. */
static const struct {
    const char *text, *told;
} templates[] = {
    /* values become what the request's member has */
    {TABLE "      BillingMode: 'PROVISIONED'\n"
           "      ProvisionedThroughput: {ReadCapacityUnits: '5', WriteCapacityUnits: 6}\n"
           "      DeletionProtectionEnabled: yes\n      TableClass: STANDARD\n",
     "CreateTable {\"TableName\":\"t\",\"BillingMode\":\"PROVISIONED\",\"ProvisionedThroughput\":{"
     "\"ReadCapacityUnits\":5,\"WriteCapacityUnits\":6},\"DeletionProtectionEnabled\":true,"
     "\"TableClass\":\"STANDARD\"}"},
    {TABLE "      KeySchema: [{AttributeName: 5, KeyType: !!str HASH}]\n",
     "CreateTable "
     "{\"TableName\":\"t\",\"KeySchema\":[{\"AttributeName\":\"5\",\"KeyType\":\"HASH\"}]"
     "}"},
    {TABLE "      DeletionProtectionEnabled: maybe\n",
     "f:5:34: A: true or false is expected here, not \"maybe\""},
    {TABLE "      TableClass: [STANDARD]\n",
     "f:5:19: A: a string or number is expected here, not a list"},
    {TABLE "      ProvisionedThroughput: {ReadCapacityUnits: 1.5}\n",
     "f:5:50: A: a whole number is expected here, not \"1.5\""},
    {TABLE "      ProvisionedThroughput: {ReadCapacityUnits: 99999999999999999999}\n",
     "f:5:50: A: a whole number is expected here, not \"99999999999999999999\""},
    /* a flow mapping as the root */
    {"{Resources: {A: {Type: AWS::DynamoDB::Table, Properties: {TableClass: !Sub '${Stage}'}}},\n"
     " Parameters: {Stage: {Type: String}}}\n",
     "CreateTable {\"TableName\":\"t\",\"TableClass\":\"test\"}"},
    {"{ # a comment\n  'Resources': {A: {Type: AWS::DynamoDB::Table,\n  Properties: {Tag: []}}}}",
     "f:3:16: A: a table has no property Tag"},
    {"{Resources: {\n  A", "f:3:1: did not find expected ',' or '}'"},
    /* JSON is the same */
    {"{\"Resources\": {\"A\": {\"Type\": \"AWS::DynamoDB::Table\",\n  \"Properties\": {\"Tags\": "
     "[{\"Key\": "
     "\"a\\u0062\", \"Value\": 7}]}}}}",
     "CreateTable {\"TableName\":\"t\",\"Tags\":[{\"Key\":\"ab\",\"Value\":\"7\"}]}"},
    {"{\"Resources\": {\"A\": {\"Type\": \"AWS::DynamoDB::Table\",\n  \"Properties\": {\"Tag\": "
     "[]}}}}",
     "f:2:18: A: a table has no property Tag"},
    {"{\"Resources\": {}, \"Resources\": {}}", "f:1:2: Resources is given twice"},
    {"{\"Resources\": {\n\t\"A\"}}", "f:2:5: this is not JSON"},
    /* AWS::NoValue leaves out members and elements */
    {TABLE "      TableClass: !Ref AWS::NoValue\n"
           "      Tags: [!Ref AWS::NoValue, {Key: a, Value: b}]\n",
     "CreateTable {\"TableName\":\"t\",\"Tags\":[{\"Key\":\"a\",\"Value\":\"b\"}]}"},
    /* requests that follow */
    {TABLE "      TimeToLiveSpecification: {AttributeName: ttl, Enabled: 'true'}\n"
           "      PointInTimeRecoverySpecification: {PointInTimeRecoveryEnabled: false}\n"
           "      ContributorInsightsSpecification: {Enabled: true}\n",
     "CreateTable {\"TableName\":\"t\"}\n"
     "UpdateTimeToLive {\"TableName\":\"t\",\"TimeToLiveSpecification\":{\"AttributeName\":\"ttl\","
     "\"Enabled\":true}}\n"
     "UpdateContributorInsights {\"TableName\":\"t\",\"ContributorInsightsAction\":\"ENABLE\"}"},
    {TABLE "      TimeToLiveSpecification: {AttributeName: ttl}\n", "f:5:32: A: it has no Enabled"},
    /* functions */
    {TABLE
     "      TableClass: !Sub '${Stage} ${!Stage} $ ${ x'\nParameters: {Stage: {Type: String}}\n",
     "CreateTable {\"TableName\":\"t\",\"TableClass\":\"test ${Stage} $ ${ x\"}"},
    {TABLE "      TableClass: !Select [1, [a]]\n",
     "f:5:19: A: Fn::Select: 1 is not an index of a list of 1"},
    {TABLE "      TableClass: !Join [a]\n", "f:5:19: A: Fn::Join takes a list of 2 values"},
    {TABLE "      TableClass: !If [None, a, b]\n", "f:5:24: A: there is no condition None"},
    {TABLE "      TableClass: !GetAtt A\n", "f:5:19: A: Fn::GetAtt takes RESOURCE.ATTRIBUTE"},
    {TABLE "      TableClass: !GetAtt A.StreamArn\n",
     "f:5:19: A: A.StreamArn of AWS::DynamoDB::Table is known only after a deployment"},
    {TABLE "      TableClass: !ImportValue other\n",
     "f:5:19: A: Fn::ImportValue: the exports of other stacks, such as other, are not known here"},
    {TABLE "      TableClass: !FindInMap [a, b, c]\n", "f:5:19: A: Mappings has no maps"},
    {TABLE "      TableClass: !Ref [a]\n", "f:5:19: A: Ref takes a name"},
    {TABLE "      TableClass: a{{resolve:ssm:x}}\n",
     "f:5:19: A: a{{resolve:ssm:x}} is known only to a deployment"},
    {TABLE "    Condition: No\nConditions: {No: !Equals [a, a, a]}\n",
     "f:6:18: Fn::Equals takes a list of 2 values"},
    {TABLE "    Condition: No\nConditions: {No: !Sub a}\n",
     "f:6:18: a condition is one of Fn::Equals, Fn::And, Fn::Or, Fn::Not and Condition"},
    /* YAML */
    {TABLE "      Tags: &a [*a]\n", "f:5:17: *a: there is no such anchor before this alias"},
    {TABLE "      ? [a]\n      : b\n", "f:5:9: a name is expected here"},
    {TABLE "      TableClass: !<tag:example.com,2026:x> a\n",
     "f:5:19: the tag tag:example.com,2026:x is not known"},
    {TABLE "      TableClass: \"\\ud83d\"\n",
     "f:5:22: found invalid Unicode character escape code"},
    {"Resources: [a]\n", "f:1:12: Resources is not an object"},
    {"- Resources\n", "f:1:1: a template is an object"},
    {"", "f:1:1: a template is an object"},
    {"Resources:\n  \xff: {}\n", "f:2:3: invalid leading UTF-8 octet"},
};

static const char *requests_of(const struct fixture_table *table)
{
    struct buf out = buf_in(arena);

    buf_printf(&out, "CreateTable %.*s", SPAN_ARG(table->create_table));
    for (size_t i = 0; i < table->after_count; i++)
        buf_printf(&out, "\n%s %.*s", table->after[i].operation, SPAN_ARG(table->after[i].body));
    return buf_text(&out);
}

START_TEST(a_template_is_requests_or_a_problem)
{
    struct option_pair stage = {SPAN_LIT("Stage"), SPAN_LIT("test"), false};
    const struct template_options options = {{&stage, 1}, SPAN_LIT("us-east-1"), SPAN_LIT("1")};
    struct fixture_table table;
    const struct problem *p;
    struct template *t;

    p = template_read(arena, "f", span_of(templates[_i].text), &options, &t);
    if (!p)
        p = template_requests(t, 0, SPAN_LIT("t"), &table);
    ck_assert_str_eq(p ? problem_text(arena, p) : requests_of(&table), templates[_i].told);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, a_template_is_requests_or_a_problem, 0, COUNT(templates));
}

UNIT_TESTS(template, add_tests)
