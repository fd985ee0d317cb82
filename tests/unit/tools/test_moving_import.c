/* Texts of each form that are imported into a server in this process, in parts of every size. */
#include "unit.h"

#include "client/client.h"
#include "dispatch/dispatch_client.h"
#include "moving/moving_import.h"
#include "support/offline_server.h"

#define MOST_TEXTS 3
#define TABLE_OF(name)                                                                            \
    "{'TableName':'" name "','AttributeDefinitions':[{'AttributeName':'pk','AttributeType':'S'}]" \
    ",'KeySchema':[{'AttributeName':'pk','KeyType':'HASH'}],'BillingMode':'PAY_PER_REQUEST'}"
#define TABLE_SIX TABLE_OF("Six")
#define TABLE_TAB TABLE_OF("Tab")
#define TABLE_TWO TABLE_OF("Two")
#define TEMPLATE                                                                 \
    "{'Resources':{'One':{'Type':'AWS::DynamoDB::Table','Properties':" TABLE_TAB \
    "},'Two':{'Type':'AWS::DynamoDB::Table','Properties':" TABLE_TWO "}}}"

/* ' replaces a quotation mark. A text gives the tables that are left, a line each, with their
 * keys, indexes and items, and then the messages. */
static const struct {
    const char *texts[MOST_TEXTS]; /* of files that are called Tab.json, Two.json and Six.json */
    const char *key, *table, *prefix, *only;
    const char *renamed; /* the table that becomes New */
    const char *gives;
} imports[] = {
    {{"{'pk':{'S':'a'}}\n"
      "{'pk':{'S':'b'},'n':{'N':'1.0'}}\n"},
     .key = "pk:S",
     .gives = "Tab pk: {'pk':{'S':'b'},'n':{'N':'1'}} {'pk':{'S':'a'}}\n"
              "2 items, 0 refused, 1 tables made\n"},
    {{"[{'pk':{'S':'a'}},\n"
      "{'pk':{'N':'1'}}]"},
     .key = "pk:S",
     .gives = "Tab pk: {'pk':{'S':'a'}}\n"
              "Tab.json:2:0: ValidationException: One or more parameter values were "
              "invalid: Type mismatch for key pk expected: S actual: N\n"
              "1 items, 1 refused, 1 tables made\n"},
    {{"pk,sk,on\n"
      "a,1,true\n"
      "b,2,false\n"},
     .key = "pk:S,sk:N",
     .gives = "Tab pk sk: {'pk':{'S':'b'},'sk':{'N':'2'},'on':{'BOOL':false}} "
              "{'pk':{'S':'a'},'sk':{'N':'1'},'on':{'BOOL':true}}\n"
              "Tab.json: types inferred from the first rows: --types on=BOOL\n"
              "2 items, 0 refused, 1 tables made\n"},
    {{"pk,sk\n"
      "a,1\n"},
     .key = "id:S",
     .gives = "Tab.json: this is not JSON or Ion, and as CSV it has no column id in its "
              "header, the key of table Tab\n"
              "0 items, 0 refused, 0 tables made\n"},
    /* the last of two items with the same key stays */
    {{"{'pk':{'S':'a'},'v':{'N':'1'}}\n"
      "{'pk':{'S':'\\u0061'},'v':{'N':'2'}}\n"},
     .key = "pk:S",
     .gives = "Tab pk: {'pk':{'S':'a'},'v':{'N':'2'}}\n"
              "2 items, 0 refused, 1 tables made\n"},
    {{"{'pk':{'S':'a'},'l':{'L':[]},'n':{'N':'1'},'b':{'B':'AA=='}}\n"},
     .gives = "Tab.json: there is no table Tab, and no schema of it: --create --key "
              "pk:S makes one\n"
              "key? pk\n"
              "key? n\n"
              "key? b\n"
              "0 items, 0 refused, 0 tables made\n"},
    {{"{'pk':{'S':'a'}}\n"
      "{'pk':{'S':\n"},
     .key = "pk:S",
     .gives = "Tab pk: {'pk':{'S':'a'}}\n"
              "Tab.json:2:1: a value is missing\n"
              "1 items, 1 refused, 1 tables made\n"},
    /* changes */
    {{"{'pk':{'S':'a'}}\n"
      "{'pk':{'S':'b'}}\n",
      "{'Metadata':{},'Keys':{'pk':{'S':'a'}},'OldImage':{'pk':{'S':'a'}}}\n"
      "{'Keys':{'pk':{'S':'c'}},'NewImage':{'pk':{'S':'c'},'v':{'S':'1'}}}\n"
      "{'Metadata':{},'NewImage':{'pk':{'S':'d'}}}\n"
      "{'Metadata':{},'Keys':'a'}\n"
      "{'Metadata':{},'Keys':{'pk':{'S':'d'}},'NewImage':7}\n",
      "$ion_1_0 {Record:{Keys:{pk:'e'},NewImage:{pk:'e',v:1}}}\n"
      "$ion_1_0 {Record:{Keys:{pk:'b'}}}\n"
      "$ion_1_0 {Record:{NewImage:{pk:'f'}}}\n"
      "$ion_1_0 {Keys:{pk:'g'},NewImage:{v:1}}\n"},
     .key = "pk:S",
     .table = "Tab",
     .gives = "Tab pk: {'pk':{'S':'c'},'v':{'S':'1'}} {'pk':{'S':'g'},'v':{'N':'1'}} "
              "{'pk':{'S':'e'},'v':{'N':'1'}}\n"
              "Two.json:3:1: a change has the key of its item, in Keys\n"
              "Two.json:4:1: a change has the key of its item, in Keys\n"
              "Two.json:5:1: NewImage is not an item\n"
              "Six.json:3:10: a change has the key of its item, in Keys\n"
              "5 items, 4 refused, 1 tables made\n"},
    /* tables' names */
    {{"{'pk':{'S':'a'}}\n", "{'pk':{'S':'b'}}\n"},
     .key = "pk:S",
     .prefix = "p-",
     .only = "Two",
     .gives = "p-Two pk: {'pk':{'S':'b'}}\n"
              "1 items, 0 refused, 1 tables made\n"},
    {{"{'pk':{'S':'a'}}\n", "{'pk':{'S':'b'}}\n"},
     .key = "pk:S",
     .table = "Six",
     .gives = "Six pk: {'pk':{'S':'b'}} {'pk':{'S':'a'}}\n"
              "2 items, 0 refused, 1 tables made\n"},
    {{"{'pk':{'S':'a'}}\n"},
     .key = "pk:S",
     .renamed = "Tab",
     .gives = "New pk: {'pk':{'S':'a'}}\n"
              "1 items, 0 refused, 1 tables made\n"},
    {{"{'pk':{'S':'a'}}\n"},
     .key = "pk:S",
     .renamed = "Tub",
     .gives = "Tab pk: {'pk':{'S':'a'}}\n"
              "there is no table Tub in the items read, but Tab\n"
              "1 items, 0 refused, 1 tables made\n"},
    /* descriptions of tables */
    {{TABLE_SIX, TABLE_SIX, "{'pk':{'S':'a'}}\n"},
     .gives = "Six pk: {'pk':{'S':'a'}}\n"
              "1 items, 0 refused, 1 tables made\n"},
    {{"{'Table':" TABLE_TAB "}", TABLE_TWO},
     .only = "Two",
     .gives = "Two pk:\n"
              "0 items, 0 refused, 1 tables made\n"},
    {{TEMPLATE},
     .prefix = "p-",
     .gives = "p-Tab pk:\n"
              "p-Two pk:\n"
              "0 items, 0 refused, 2 tables made\n"},
    {{TEMPLATE},
     .only = "Two",
     .gives = "Two pk:\n"
              "0 items, 0 refused, 1 tables made\n"},
    {{"{'Resources':{'One':{'Type':'AWS::DynamoDB::Table','Properties':{'TableName':'Tab'}},\n"
      "'Two':{'Type':'AWS::DynamoDB::Table','Properties':" TABLE_TWO "}}}"},
     .gives = "Tab.json:1:21: One: CreateTable of Tab: ValidationException: 2 validation errors "
              "detected: Value null at 'attributeDefinitions' failed to satisfy constraint: "
              "Member must not be null; Value null at 'keySchema' failed to satisfy constraint: "
              "Member must not be null\n"
              "0 items, 0 refused, 0 tables made\n"},
    {{TEMPLATE},
     .table = "Tab",
     .gives = "Tab.json: a template names its tables itself: --only chooses, --map renames\n"
              "0 items, 0 refused, 0 tables made\n"},
    /* data models */
    {{"{'DataModel':[{'TableName':'Mod',"
      "'KeyAttributes':{'PartitionKey':{'AttributeName':'pk','AttributeType':'S'},"
      "'SortKey':{'AttributeName':'sk','AttributeType':'N'}},\n"
      "'NonKeyAttributes':[{'AttributeName':'g','AttributeType':'S'}],\n"
      "'GlobalSecondaryIndexes':[{'IndexName':'byG',"
      "'KeyAttributes':{'PartitionKey':{'AttributeName':'g','AttributeType':'S'}},\n"
      "'Projection':{'ProjectionType':'KEYS_ONLY'}}],\n"
      "'TableData':[{'pk':{'S':'a'},'sk':{'N':'1'}},{'pk':{'S':'b'},'sk':{'N':'1'}}]},\n"
      "{'TableName':'Nod','KeyAttributes':{'PartitionKey':{'AttributeName':'pk',"
      "'AttributeType':'S'},'SortKey':{'AttributeName':'sk','AttributeType':'N'}},\n"
      "'TableFacets':[{'TableData':[{'pk':{'S':'c'},'sk':{'N':'1'}}]},"
      "{'TableData':[{'pk':{'S':'d'},'sk':{'N':'1'}}]}],\n"
      "'TableData':[],'BillingMode':'PROVISIONED'}]}"},
     .gives = "Mod pk sk byG: {'pk':{'S':'b'},'sk':{'N':'1'}} {'pk':{'S':'a'},'sk':{'N':'1'}}\n"
              "Nod pk sk: {'pk':{'S':'c'},'sk':{'N':'1'}} {'pk':{'S':'d'},'sk':{'N':'1'}}\n"
              "Tab.json: Nod, provisioned in the model, was made on demand: UpdateTable "
              "gives a table its units\n"
              "4 items, 0 refused, 2 tables made\n"},
    {{"{'DataModel':[{'TableName':'Mod',"
      "'KeyAttributes':{'PartitionKey':{'AttributeName':'pk','AttributeType':'S'},"
      "'SortKey':{'AttributeName':'sk','AttributeType':'N'}},\n"
      "'TableData':[{'pk':{'S':'a'},'sk':{'N':'1'}},\n"
      "{'pk':{'S':'no'}},\n"
      "{'pk':'b','sk':2}],'BillingMode':'PROVISIONED'},\n"
      "{'TableName':'Nod','KeyAttributes':{'PartitionKey':{'AttributeName':'pk',"
      "'AttributeType':'S'},'SortKey':{'AttributeName':'sk','AttributeType':'N'}},\n"
      "'TableData':[{'pk':{'S':'c'},'sk':{'N':'1'}}],'BillingMode':'PROVISIONED'},\n"
      "{'TableName':'Ood','KeyAttributes':{'PartitionKey':{'AttributeName':'pk',"
      "'AttributeType':'S'},'SortKey':{'AttributeName':'sk','AttributeType':'N'}},"
      "'BillingMode':'PROVISIONED'}]}"},
     .prefix = "p-",
     .gives = "p-Mod pk sk: {'pk':{'S':'b'},'sk':{'N':'2'}} {'pk':{'S':'a'},'sk':{'N':'1'}}\n"
              "p-Nod pk sk: {'pk':{'S':'c'},'sk':{'N':'1'}}\n"
              "p-Ood pk sk:\n"
              "Tab.json:3:0: ValidationException: One or more parameter values were "
              "invalid: Missing the key sk in the item\n"
              "Tab.json: values in 1 item have no type of DynamoDB's JSON, or are "
              "written otherwise than it has them, the first in pk: they became what "
              "JSON has, a string, number, list or map\n"
              "Tab.json: Mod and 2 others, provisioned in the model, were made on "
              "demand: UpdateTable gives a table its units\n"
              "3 items, 1 refused, 3 tables made\n"},
    {{"{'DataModel':[{'TableName':'Mod',"
      "'KeyAttributes':{'PartitionKey':{'AttributeName':'pk','AttributeType':'S'},"
      "'SortKey':{'AttributeName':'sk','AttributeType':'N'}},\n"
      "'TableData':[{'pk':{'S':'a'},'sk':{'N':'1'}}]},\n"
      "{'TableName':'Nod','KeyAttributes':{'PartitionKey':{'AttributeName':'pk',"
      "'AttributeType':'S'},'SortKey':{'AttributeName':'sk','AttributeType':'N'}},\n"
      "'TableData':[{'pk':{'S':'b'},'sk':{'N':'1'}}]}]}"},
     .only = "Nod",
     .gives = "Nod pk sk: {'pk':{'S':'b'},'sk':{'N':'1'}}\n"
              "1 items, 0 refused, 1 tables made\n"},
    {{"{'DataModel':[{'TableName':'Mod',"
      "'KeyAttributes':{'PartitionKey':{'AttributeName':'pk','AttributeType':'S'},"
      "'SortKey':{'AttributeName':'sk','AttributeType':'N'}}}]}"},
     .table = "Tab",
     .gives = "Tab.json: a model names its tables itself: --only chooses, --map renames\n"
              "0 items, 0 refused, 0 tables made\n"},
    {{"{'DataModel':[{'TableName':'Mod'}]}"},
     .gives = "Tab.json: line 1, column 15: table Mod has no partition key\n"
              "0 items, 0 refused, 0 tables made\n"},
    /* what cannot be imported */
    {{"{'exportArn':'a','manifestFilesS3Key':'k'}"},
     .gives = "Tab.json: this is a manifest of an export: it is the export's folder "
              "that can be imported\n"
              "0 items, 0 refused, 0 tables made\n"},
    {{"\xFF\xFE{"},
     .gives = "Tab.json: this is UTF-16, as Windows PowerShell writes it: save it as UTF-8\n"
              "0 items, 0 refused, 0 tables made\n"},
};

static struct offline_server server;
static struct buf said;

static void say_refusal(struct moving_report *r, const struct moving_refusal *refusal)
{
    (void)r;
    buf_printf(&said, "%s:%zu:%zu: %.*s\n", refusal->file, refusal->line, refusal->column,
               SPAN_ARG(refusal->message));
}

static void say_note(struct moving_report *r, const char *text)
{
    (void)r;
    buf_printf(&said, "%s\n", text);
}

static const char *with_quotes(const char *text, char from, char to)
{
    char *out = arena_text(arena, span_of(text));

    for (char *at = out; (at = strchr(at, from)); at++)
        *at = to;
    return out;
}

static const char *feed(struct moving_import *i, struct span text, size_t part)
{
    const char *problem = NULL;

    while (text.len && !problem) {
        struct span now = {text.at, text.len < part ? text.len : part};
        bool more = true;

        text = span_from(text, now.len);
        while (more && !problem)
            problem = moving_import_feed(i, &now, part, &more);
    }
    return problem;
}

static const char *import_text(struct moving_import *i, const char *file, const char *text,
                               size_t part)
{
    const char *problem, *late;
    bool more = true, again = true;

    moving_import_begin(i, file, moving_import_table_of(file));
    while (again) {
        if ((problem = feed(i, span_of(text), part))) {
            late = moving_import_stop(i);
            return problem ? problem : late;
        }
        again = false;
        for (more = true; more;)
            if ((problem = moving_import_end(i, &more, &again)))
                return problem;
    }
    return NULL;
}

/* Imports all texts, and says what comes of it. */
static void import_all(size_t number, size_t part)
{
    struct client *client = dispatch_client_new(arena, server.dispatcher,
                                                &(struct dispatch_client_options){.name = "here"});
    struct moving_tables *tables = moving_tables_new(arena, client);
    struct moving_report report = {.tell = say_refusal, .note = say_note};
    struct option_pair renamed = {.value = SPAN_LIT("New")};
    const char *only = imports[number].only, *problem;
    struct moving_import_options options = {
        .prefix = imports[number].prefix ? imports[number].prefix : "",
        .table = imports[number].table,
        .only = {&only, only != NULL},
        .renames = {&renamed, imports[number].renamed != NULL},
    };
    struct moving_import *i = moving_import_new(arena, client, tables, &report, &options);
    static const char *const names[] = {"Tab.json", "Two.json", "Six.json"};

    if (imports[number].renamed)
        renamed.name = span_of(imports[number].renamed);
    if (imports[number].key)
        ck_assert_ptr_null(moving_tables_set_key(tables, imports[number].key));
    for (size_t k = 0; k < MOST_TEXTS && imports[number].texts[k]; k++) {
        if ((problem = import_text(i, names[k], with_quotes(imports[number].texts[k], '\'', '"'),
                                   part)))
            buf_printf(&said, "%s\n", problem);
    }
    if ((problem = moving_import_unmet(i)))
        buf_printf(&said, "%s\n", problem);
    for (size_t k = 0; k < moving_import_keys(i).count; k++)
        buf_printf(&said, "key? %.*s\n", SPAN_ARG(moving_import_keys(i).at[k].name));
    buf_printf(&said, "%zu items, %zu refused, %zu tables made\n", (size_t)report.items,
               (size_t)report.refused, moving_tables_made(tables));
    moving_import_free(i);
    client_free(client);
}

static const wire_node *ask(const char *operation, const char *request)
{
    const wire_node *body;
    struct span answer;

    ck_assert_int_eq(offline_server_send(&server, span_of(operation), span_of(request), &answer),
                     200);
    ck_assert_ptr_null(wire_parse(arena, answer, &body));
    return body;
}

static void add_names(struct buf *out, const wire_node *list, const char *member)
{
    for (const wire_node *n = wire_first(list); n; n = wire_next(n))
        buf_printf(out, " %.*s", SPAN_ARG(wire_text(wire_get(n, member))));
}

static const char *left(void)
{
    struct buf out = buf_in(arena);

    for (const wire_node *t = wire_first(wire_get(ask("ListTables", "{}"), "TableNames")); t;
         t = wire_next(t)) {
        const char *request = arena_printf(arena, "{\"TableName\":\"%.*s\"}",
                                           SPAN_ARG(wire_text(t)));
        const wire_node *table = wire_get(ask("DescribeTable", request), "Table");

        buf_printf(&out, "%.*s", SPAN_ARG(wire_text(t)));
        add_names(&out, wire_get(table, "KeySchema"), "AttributeName");
        add_names(&out, wire_get(table, "GlobalSecondaryIndexes"), "IndexName");
        buf_add_char(&out, ':');
        for (const wire_node *n = wire_first(wire_get(ask("Scan", request), "Items")); n;
             n = wire_next(n))
            buf_printf(&out, " %.*s", SPAN_ARG(wire_raw(n)));
        buf_add_char(&out, '\n');
    }
    return buf_text(&out);
}

START_TEST(a_text_leaves_tables_and_items)
{
    static const size_t parts[] = {1, 7, SIZE_MAX};

    for (size_t k = 0; k < COUNT(parts); k++) {
        said = buf_in(arena);
        offline_server_open(&server, arena, &(struct offline_options){.seed = 1});
        import_all((size_t)_i, parts[k]);
        ck_assert_str_eq(
            with_quotes(arena_printf(arena, "%s%s", left(), buf_text(&said)), '"', '\''),
            imports[_i].gives);
        offline_server_close(&server);
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, a_text_leaves_tables_and_items, 0, COUNT(imports));
}

UNIT_TESTS(moving_import, add_tests)
