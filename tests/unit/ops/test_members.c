/* A member of a table is one row: each test adds a made-up member to schema_members.c's rows, and
 * requests, descriptions, files, replicas, restores, copies and the CLI have it. */
#include "awscli/awscli_command.h"
#include "fixtures/fixtures_table.h"
#include "model/schema_members.h"
#include "support/offline_server.h"
#include "unit.h"

#include <unistd.h>

#define EVERY_USE (SCHEMA_CREATE | SCHEMA_UPDATE | SCHEMA_RESTORE | SCHEMA_REPLICATE)

/* struct table with a place for the made-up member, which is the last row. */
struct longer_table {
    struct table table;
    union {
        bool flag;
        int64_t number;
        int word;
        struct span text;
    } made_up;
};

static const char *const words[] = {"SLOW", "FAST", "FASTER", NULL};

/* The made-up members, with two values of each, and what a table has that was given none. */
static const struct {
    enum schema_kind kind;
    const char *wire, *one, *two;
    const char *otherwise; /* NULL: it is not described */
    const char *alone;     /* its name in the message that it must be the only change */
} kinds[] = {
    {SCHEMA_FLAG, "MadeUpEnabled", "true", "false", "false", "MadeUp"},
    {SCHEMA_TEXT, "MadeUpName", "\"a \\u00e9\"", "\"b\"", NULL, "MadeUpName"},
    {SCHEMA_INT, "MadeUpCount", "12", "-3", NULL, "MadeUpCount"},
    {SCHEMA_ENUM, "MadeUpMode", "\"FAST\"", "\"FASTER\"", "\"SLOW\"", "MadeUpMode"},
};

static struct schema_shape real; /* the rows without the made-up one */
static struct schema_member rows[128], *row;
static int kind; /* of the made-up member */
static struct offline_server server;
static struct offline_options options;

static void add_row(unsigned uses)
{
    size_t count = 0;

    while (real.members[count].name)
        count++;
    ck_assert_uint_lt(count + 1, COUNT(rows));
    memcpy(rows, real.members, count * sizeof *rows);
    row = &rows[count];
    *row = (struct schema_member){.kind = kinds[kind].kind,
                                  .name = "made_up",
                                  .offset = offsetof(struct longer_table, made_up),
                                  .wire = kinds[kind].wire,
                                  .uses = uses};
    if (row->kind == SCHEMA_ENUM)
        row->words = words;
    rows[count + 1] = (struct schema_member){.name = NULL};
    schema_members_table = (struct schema_shape){sizeof(struct longer_table), rows};
}

static void set_up(void)
{
    real = schema_members_table;
    options = (struct offline_options){.seed = 1};
}

static void tear_down(void)
{
    if (server.dispatcher)
        offline_server_close(&server);
    server.dispatcher = NULL;
    schema_members_table = real;
}

/* A server with a made-up member of that kind. */
static void open_with(int n, unsigned uses)
{
    kind = n;
    add_row(uses);
    offline_server_open(&server, arena, &options);
}

/* --- requests --------------------------------------------------------------------------------- */

static const char *answer_to(const char *operation, const char *body, int wanted)
{
    struct span answer;
    int status = offline_server_send(&server, span_of(operation), span_of(body), &answer);

    ck_assert_msg(status == wanted, "%s %s: %d %.*s", operation, body, status, SPAN_ARG(answer));
    while (dispatch_idle(server.dispatcher))
        ;
    return arena_text(arena, answer);
}

/* Sends {"<subject>":"<name>", …} with the made-up member, or without where `value` is NULL. */
static const char *send(const char *operation, const char *subject, const char *name,
                        const char *ending, const char *value)
{
    const char *given = value ? arena_printf(arena, ",\"%s%s\":%s", kinds[kind].wire, ending, value)
                              : "";

    return answer_to(operation, arena_printf(arena, "{\"%s\":\"%s\"%s}", subject, name, given),
                     200);
}

static void create(const char *name, const char *value)
{
    const char *given = value ? arena_printf(arena, ",\"%s\":%s", kinds[kind].wire, value) : "";

    answer_to("CreateTable", offline_server_table_of(arena, name, given), 200);
}

static void update(const char *name, const char *value)
{
    send("UpdateTable", "TableName", name, "", value);
}

static void refuses(const char *operation, const char *body, const char *text)
{
    const char *answer = answer_to(operation, body, 400);

    ck_assert_msg(strstr(answer, text) != NULL, "%s %s: %s", operation, body, answer);
}

static const wire_node *describe(const char *name)
{
    const wire_node *answer;

    ck_assert_ptr_null(
        wire_parse(arena, span_of(send("DescribeTable", "TableName", name, "", NULL)), &answer));
    return wire_get(answer, "Table");
}

/* The table is described with the value; with none of the member where it is NULL. */
static void has(const char *name, const char *value)
{
    const wire_node *got = wire_get(describe(name), kinds[kind].wire), *wanted;

    if (!value) {
        ck_assert_ptr_null(got);
        return;
    }
    ck_assert_ptr_null(
        wire_parse(arena, span_of(arena_printf(arena, "{\"v\":%s}", value)), &wanted));
    wanted = wire_get(wanted, "v");
    ck_assert_msg(got != NULL, "%s has no %s", name, kinds[kind].wire);
    if (kinds[kind].kind == SCHEMA_TEXT || kinds[kind].kind == SCHEMA_ENUM)
        ck_assert_str_eq(arena_text(arena, wire_text(got)), arena_text(arena, wire_text(wanted)));
    else
        ck_assert_str_eq(arena_text(arena, wire_raw(got)), arena_text(arena, wire_raw(wanted)));
}

/* --- one table -------------------------------------------------------------------------------- */

START_TEST(it_is_created_changed_and_described)
{
    open_with(_i, EVERY_USE);
    create("Given", kinds[_i].one);
    create("Bare", NULL);
    has("Given", kinds[_i].one);
    has("Bare", kinds[_i].otherwise);
    update("Given", kinds[_i].two);
    update("Given", kinds[_i].two); /* the same again */
    update("Bare", kinds[_i].one);
    has("Given", kinds[_i].two);
    has("Bare", kinds[_i].one);
}
END_TEST

START_TEST(it_is_stored)
{
    char folder[UNIT_FOLDER_SIZE];

    unit_make_folder(folder);
    options.store.path = arena_printf(arena, "%s/data.db", folder);
    kind = _i;
    offline_server_open(&server, arena, &options); /* as before there was the member */
    create("Old", NULL);
    offline_server_close(&server);

    open_with(_i, EVERY_USE);
    has("Old", kinds[_i].otherwise);
    update("Old", kinds[_i].one);
    create("New", kinds[_i].two);
    offline_server_close(&server);

    offline_server_open(&server, arena, &options);
    has("Old", kinds[_i].one);
    has("New", kinds[_i].two);
    unlink(options.store.path);
    unlink(arena_printf(arena, "%s-wal", options.store.path));
    unlink(arena_printf(arena, "%s-shm", options.store.path));
    rmdir(folder);
}
END_TEST

START_TEST(it_must_be_the_only_change)
{
    open_with(_i, EVERY_USE);
    create("T01", NULL);
    refuses("UpdateTable",
            arena_printf(arena,
                         "{\"TableName\":\"T01\",\"%s\":%s,\"DeletionProtectionEnabled\":true}",
                         kinds[_i].wire, kinds[_i].one),
            "DeletionProtection modification must be the only operation in the request");
    refuses("UpdateTable",
            arena_printf(arena,
                         "{\"TableName\":\"T01\",\"%s\":%s,\"BillingMode\":\"PROVISIONED\","
                         "\"ProvisionedThroughput\":{\"ReadCapacityUnits\":1,"
                         "\"WriteCapacityUnits\":1}}",
                         kinds[_i].wire, kinds[_i].one),
            arena_printf(arena, "%s modification must be the only operation in the request",
                         kinds[_i].alone));
    has("T01", kinds[_i].otherwise);
}
END_TEST

START_TEST(values_of_another_type_are_refused)
{
    open_with(_i, EVERY_USE);
    refuses(
        "CreateTable",
        offline_server_table_of(arena, "T01", arena_printf(arena, ",\"%s\":{}", kinds[_i].wire)),
        "SerializationException");
}
END_TEST

START_TEST(words_that_it_does_not_have_are_refused)
{
    open_with(3, EVERY_USE);
    refuses(
        "CreateTable", offline_server_table_of(arena, "T01", ",\"MadeUpMode\":\"FASTEST\""),
        "Value 'FASTEST' at 'madeUpMode' failed to satisfy constraint: Member must satisfy enum "
        "value set: [SLOW, FAST, FASTER]");
}
END_TEST

START_TEST(operations_without_the_use_pass_over_it)
{
    open_with(_i, SCHEMA_CREATE);
    create("T01", kinds[_i].one);
    refuses("UpdateTable",
            arena_printf(arena, "{\"TableName\":\"T01\",\"%s\":%s}", kinds[_i].wire, kinds[_i].two),
            "At least one of");
    has("T01", kinds[_i].one);

    row->uses = SCHEMA_UPDATE;
    create("T02", kinds[_i].one);
    has("T02", kinds[_i].otherwise);
    update("T02", kinds[_i].one);
    has("T02", kinds[_i].one);
}
END_TEST

/* --- other tables ----------------------------------------------------------------------------- */

static void restore(const char *target, const char *value)
{
    const wire_node *backup;
    const char *arn;

    ck_assert_ptr_null(wire_parse(arena, span_of(answer_to("ListBackups", "{}", 200)), &backup));
    arn = arena_text(
        arena, wire_text(wire_get(wire_first(wire_get(backup, "BackupSummaries")), "BackupArn")));
    send("RestoreTableFromBackup", arena_printf(arena, "BackupArn\":\"%s\",\"TargetTableName", arn),
         target, "Override", value);
}

START_TEST(it_is_restored_from_a_backup)
{
    open_with(_i, EVERY_USE);
    create("T01", kinds[_i].one);
    answer_to("CreateBackup", "{\"TableName\":\"T01\",\"BackupName\":\"first\"}", 200);
    update("T01", kinds[_i].two);
    restore("Same", NULL);
    restore("Overridden", kinds[_i].two);
    has("Same", kinds[_i].one);
    has("Overridden", kinds[_i].two);

    row->uses = SCHEMA_CREATE;
    restore("Left", kinds[_i].two);
    has("Left", kinds[_i].otherwise);
}
END_TEST

static void replicate(const char *name, const char *region)
{
    answer_to("UpdateTable",
              arena_printf(arena,
                           "{\"TableName\":\"%s\",\"ReplicaUpdates\":[{\"Create\":"
                           "{\"RegionName\":\"%s\"}}]}",
                           name, region),
              200);
}

START_TEST(it_is_copied_to_replicas)
{
    options.settings.regional = true;
    open_with(_i, EVERY_USE);
    create("T01", kinds[_i].one);
    replicate("T01", "eu-west-1");
    server.region = SPAN_LIT("eu-west-1");
    has("T01", kinds[_i].one);
    update("T01", kinds[_i].two);
    server.region = (struct span){NULL, 0}; /* the default */
    has("T01", kinds[_i].two);
}
END_TEST

START_TEST(a_member_of_each_region_stays_there)
{
    options.settings.regional = true;
    open_with(_i, SCHEMA_CREATE | SCHEMA_UPDATE);
    create("T01", kinds[_i].one);
    replicate("T01", "eu-west-1");
    server.region = SPAN_LIT("eu-west-1");
    has("T01", kinds[_i].otherwise);
    update("T01", kinds[_i].two);
    has("T01", kinds[_i].two);
    server.region = (struct span){NULL, 0}; /* the default */
    has("T01", kinds[_i].one);
}
END_TEST

/* --- other programs --------------------------------------------------------------------------- */

START_TEST(schemas_of_copies_and_fixtures_have_it)
{
    struct fixture_table fixture;
    struct span name = SPAN_LIT("Copy"), schema;
    const wire_node *described;

    open_with(_i, EVERY_USE);
    create("T01", kinds[_i].one);
    described = describe("T01");
    schema = fixtures_table_schema(arena, name, described, NULL, (struct span){NULL, 0});
    answer_to("CreateTable", arena_text(arena, schema), 200);
    has("Copy", kinds[_i].one);

    name = SPAN_LIT("Fixture");
    ck_assert_ptr_null(fixtures_table_make(
        arena, span_of(arena_printf(arena, "{\"Table\":%.*s}", SPAN_ARG(wire_raw(described)))),
        name, &fixture));
    answer_to("CreateTable", arena_text(arena, fixture.create_table), 200);
    has("Fixture", kinds[_i].one);
}
END_TEST

static const struct problem *read_command(const char *command, struct span *request)
{
    const char *const line[] = {"aws",          "dynamodb", command,
                                "--table-name", "T01",      "--made-up-enabled"};
    char *typed[COUNT(line) + 1] = {NULL};
    const struct problem *problem;
    struct awscli_command out;

    for (size_t i = 0; i < COUNT(line); i++)
        typed[i] = arena_text(arena, span_of(line[i]));
    problem = awscli_command_read(arena, typed, AWSCLI_NO_FILES, &out);
    *request = out.request;
    return problem;
}

START_TEST(the_cli_has_an_option_for_it)
{
    struct span request;

    open_with(0, SCHEMA_UPDATE);
    ck_assert_ptr_null(read_command("update-table", &request));
    ck_assert_span_eq(request, "{\"TableName\": \"T01\", \"MadeUpEnabled\": true}");
    ck_assert_ptr_nonnull(strstr(read_command("describe-table", &request)->text,
                                 "Unknown options: --made-up-enabled"));
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_loop_test(tc, it_is_created_changed_and_described, 0, COUNT(kinds));
    tcase_add_loop_test(tc, it_is_stored, 0, COUNT(kinds));
    tcase_add_loop_test(tc, it_must_be_the_only_change, 0, COUNT(kinds));
    tcase_add_loop_test(tc, values_of_another_type_are_refused, 0, COUNT(kinds));
    tcase_add_test(tc, words_that_it_does_not_have_are_refused);
    tcase_add_loop_test(tc, operations_without_the_use_pass_over_it, 0, COUNT(kinds));
    tcase_add_loop_test(tc, it_is_restored_from_a_backup, 0, COUNT(kinds));
    tcase_add_loop_test(tc, it_is_copied_to_replicas, 0, COUNT(kinds));
    tcase_add_loop_test(tc, a_member_of_each_region_stays_there, 0, COUNT(kinds));
    tcase_add_loop_test(tc, schemas_of_copies_and_fixtures_have_it, 0, COUNT(kinds));
    tcase_add_test(tc, the_cli_has_an_option_for_it);
}

UNIT_TESTS(members, add_tests)
