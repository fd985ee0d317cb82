#include "unit.h"

#include "commands/command.h"
#include "commands/serve_options.h"

#define MAX_WORDS 10

static const char *read(const char *line, struct command_line *out)
{
    char *text = arena_text(arena, span_of(line));
    char *words[MAX_WORDS + 1] = {NULL};
    int count = 0;

    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        words[count++] = strcmp(word, "''") == 0 ? word + 2 : word;
    return command_read(arena, words, out);
}

static struct command_line read_well(const char *line)
{
    struct command_line out;
    const char *problem = read(line, &out);

    ck_assert_msg(!problem, "%s: %s", line, problem);
    return out;
}

static struct serve_options parsed(const char *line)
{
    struct command_line read = read_well(line);

    ck_assert_ptr_eq(read.command, &command_serve);
    return *(const struct serve_options *)read.options;
}

START_TEST(without_options_it_serves_from_memory_on_loopback)
{
    struct serve_options c = parsed("");

    ck_assert_ptr_null(c.host);
    ck_assert_int_eq(c.port, 8000);
    ck_assert_ptr_null(c.setup.db);
    ck_assert_int_eq(c.setup.sync, STORE_SYNC_NORMAL);
    ck_assert(!c.setup.compact);
    ck_assert(!c.setup.service.read_only);
    ck_assert_ptr_null(c.keys);
    ck_assert_ptr_null(c.tls_certificate);
    ck_assert_ptr_null(c.tls_key);
    ck_assert_uint_eq(c.setup.fixtures.names.count, 0);
    ck_assert_str_eq(c.setup.fixtures.table_prefix, "");
    ck_assert(span_is(c.setup.service.region, "us-east-1"));
    ck_assert(span_is(c.setup.service.account, "123456789012"));
    ck_assert_int_eq(c.setup.service.transition_ms, 0);
    ck_assert_int_eq(c.setup.service.ttl_sweep_ms, 1000);
    ck_assert_int_eq(c.setup.service.stream_shards, 1);
    ck_assert_ptr_null(c.cors_origins);
}
END_TEST

START_TEST(takes_what_it_is_given)
{
    struct serve_options c = parsed("serve --host ::1 --port=0 --db a.db");

    ck_assert_str_eq(c.host, "::1");
    ck_assert_int_eq(c.port, 0);
    ck_assert_str_eq(c.setup.db, "a.db");
    c = parsed("--allow-host db --allow-host db.example");
    ck_assert_uint_eq(c.allowed_hosts.count, 2);
    ck_assert_str_eq(c.allowed_hosts.at[1], "db.example");
    c = parsed("--allow-host db --allow-host db.example");
    ck_assert_uint_eq(c.allowed_hosts.count, 2);
    ck_assert_str_eq(c.allowed_hosts.at[1], "db.example");
    c = parsed("--fixtures a --fixtures b --table-prefix dev-");
    ck_assert_uint_eq(c.setup.fixtures.names.count, 2);
    ck_assert_str_eq(c.setup.fixtures.names.at[0], "a");
    ck_assert_str_eq(c.setup.fixtures.names.at[1], "b");
    ck_assert_str_eq(c.setup.fixtures.table_prefix, "dev-");
    c = parsed("--region eu-west-1 --account 123456789012 --transition-ms 50");
    ck_assert(span_is(c.setup.service.region, "eu-west-1"));
    ck_assert(span_is(c.setup.service.account, "123456789012"));
    ck_assert_int_eq(c.setup.service.transition_ms, 50);
    c = parsed("--index-transition-ms 6000");
    ck_assert_int_eq(c.setup.service.index_transition_ms, 6000);
    ck_assert_int_eq(c.setup.service.transition_ms, 0);
    ck_assert(parsed("--read-only").setup.service.read_only);
    ck_assert_str_eq(parsed("--require-signature k").keys, "k");
    c = parsed("--tls-cert c --tls-key k");
    ck_assert_str_eq(c.tls_certificate, "c");
    ck_assert_str_eq(c.tls_key, "k");
    c = parsed("--ttl-sweep-ms 0");
    ck_assert_int_eq(c.setup.service.ttl_sweep_ms, 0);
    ck_assert_int_eq(parsed("--stream-shards 100").setup.service.stream_shards, 100);
    c = parsed("--db a.db --sync full --compact");
    ck_assert_int_eq(c.setup.sync, STORE_SYNC_FULL);
    ck_assert(c.setup.compact);
    ck_assert_int_eq(parsed("--port 1 -port 65535").port, 65535);
}
END_TEST

START_TEST(takes_the_flags_of_dynamodb_local)
{
    struct serve_options c = parsed("-inMemory -sharedDb -port 9000 -cors a,b -disableTelemetry");

    ck_assert_ptr_null(c.setup.db);
    ck_assert_int_eq(c.port, 9000);
    ck_assert_str_eq(c.cors_origins, "a,b");
    c = parsed("-dbPath data -optimizeDbBeforeStartup -delayTransientStatuses");
    ck_assert_str_eq(c.setup.db, "data/mockddb.db");
    ck_assert(c.setup.compact);
    ck_assert_int_gt(c.setup.service.transition_ms, 0);
}
END_TEST

static const struct {
    const char *line, *command;
    bool wants_help, wants_version;
} commands[] = {
    {"serve", "serve", false, false},
    {"healthcheck", "healthcheck", false, false},
    {"healthcheck --endpoint http://127.0.0.1:1", "healthcheck", false, false},
    {"healthcheck --wait 1.5", "healthcheck", false, false},
    {"healthcheck --help", "healthcheck", true, false},
    {"ctl --help", "ctl", true, false},
    {"import --help", "import", true, false},
    {"push --db f --db g --version", "push", false, true},
    {"ctl --world w clock --port 1", "ctl", false, false},
    {"ctl -- --verb", "ctl", false, false},
    {"run --fixtures f -- a --port 1", "run", false, false},
    {"try -", "try", false, false},
    {"try --fixtures f --table-prefix p- aws dynamodb list-tables --region r", "try", false, false},
    {"--help --port 1", "serve", true, false},
    {"-help", "serve", true, false},
    {"-h", "serve", true, false},
    {"--version", "serve", false, true},
    {"-version", "serve", false, true},
    {"check --licenses", "check", false, false},
};

/* What the words are of commands whose own they are. */
static const struct {
    const char *line, *words[3];
} own_words[] = {
    {"import --table t --db d p", {"p"}},
    {"import p --table t --db d", {"p"}},
    {"import --db d p --table t -", {"p", "-"}},
    {"import p --table t -- --table q", {"p", "--table", "q"}},
};

START_TEST(options_may_stand_among_the_words_of_a_command)
{
    struct command_line line = read_well(own_words[_i].line);
    char *const *words = *(char *const *const *)(const void *)((const char *)line.options +
                                                               line.command->words_at);

    for (int i = 0; i < 3 && own_words[_i].words[i]; i++)
        ck_assert_str_eq(words[i], own_words[_i].words[i]);
}
END_TEST

START_TEST(knows_its_commands)
{
    struct command_line line = read_well(commands[_i].line);

    ck_assert_str_eq(line.command->name, commands[_i].command);
    ck_assert_int_eq(line.wants_help, commands[_i].wants_help);
    ck_assert_int_eq(line.wants_version, commands[_i].wants_version);
}
END_TEST

/* What stands in scripts behind "java", and whether it makes the server answer as DynamoDB Local.
 */
static const struct {
    const char *line;
    bool as_local;
} java_lines[] = {
    {"-Djava.library.path=./DynamoDBLocal_lib -jar DynamoDBLocal.jar -sharedDb -port 9000", true},
    {"-Xmx256m -XX:+UseSerialGC -jar DynamoDBLocal.jar -inMemory -port 9000", true},
    {"-port 9000", true},
    {"-jar DynamoDBLocal.jar --port 9000", true},
    {"serve --port 9000", false},
};

START_TEST(takes_a_java_command_line)
{
    struct serve_options c = parsed(java_lines[_i].line);

    ck_assert_int_eq(c.port, 9000);
    ck_assert_int_eq(c.as_local, java_lines[_i].as_local);
}
END_TEST

static const struct {
    const char *line, *problem;
} refused[] = {
    {"--prot 1", "unknown option --prot; --help lists all"},
    {"-prot 1", "unknown option -prot; --help lists all"},
    {"-Port 1", "unknown option -Port; --help lists all"},
    {"--", "unknown option --; --help lists all"},
    {"carry", "unknown command carry; --help lists all"},
    {"serve serve", "unexpected word serve; --help lists all options"},
    {"--port 1 stray", "unexpected word stray; --help lists all options"},
    {"--port", "option --port needs a value: N"},
    {"--fixtures", "option --fixtures needs a value: NAME|PATH"},
    {"-inMemory=yes", "option -inMemory takes no value"},
    {"-jar", "option -jar needs a value: FILE"},
    {"healthcheck -Xmx1g", "option -Xmx1g does not go with this command"},
    {"--port 80a", "option --port: \"80a\" is not a port: 0 to 65535, 0 for any free port"},
    {"--port -1", "option --port: \"-1\" is not a port: 0 to 65535, 0 for any free port"},
    {"--port 65536", "option --port: \"65536\" is not a port: 0 to 65535, 0 for any free port"},
    {"--port=", "option --port: \"\" is not a port: 0 to 65535, 0 for any free port"},
    {"--host ''", "option --host: \"\" is empty"},
    {"--db ''", "option --db: \"\" is empty"},
    {"-dbPath ''", "option -dbPath: \"\" is empty"},
    {"--fixtures ''", "option --fixtures: \"\" is empty"},
    {"--allow-host db:8000", "option --allow-host: \"db:8000\" is not a name such as db.example"},
    {"--allow-host ''", "option --allow-host: \"\" is not a name such as db.example"},
    {"--allow-host db:8000", "option --allow-host: \"db:8000\" is not a name such as db.example"},
    {"--allow-host ''", "option --allow-host: \"\" is not a name such as db.example"},
    {"--cors ''", "option --cors: \"\" is empty"},
    {"--table-prefix a/b",
     "option --table-prefix: \"a/b\" has characters that table names cannot have"},
    {"--region US", "option --region: \"US\" is not a region such as us-east-1"},
    {"--region ''", "option --region: \"\" is not a region such as us-east-1"},
    {"--account 12", "option --account: \"12\" is not an account of 12 digits"},
    {"--account 12345678901x", "option --account: \"12345678901x\" is not an account of 12 digits"},
    {"--transition-ms 99999999",
     "option --transition-ms: \"99999999\" is not a number of milliseconds up to an hour"},
    {"--ttl-sweep-ms 86400001",
     "option --ttl-sweep-ms: \"86400001\" is not a number of milliseconds up to a day"},
    {"--stream-shards 0", "option --stream-shards: \"0\" is not a number of shards from 1 to 100"},
    {"--stream-shards 101",
     "option --stream-shards: \"101\" is not a number of shards from 1 to 100"},
    {"--db a --sync maybe", "option --sync: \"maybe\" is not one of off, normal, full"},
    {"--tls-cert a", "--tls-cert and --tls-key go together"},
    {"--tls-key a", "--tls-cert and --tls-key go together"},
    {"--allow-none", "--allow-none is about what is asserted: give --fail-on"},
    {"--sync off", "--sync is about a file: give --db or -dbPath"},
    {"--compact", "there is no file to compact: give --db or -dbPath"},
    {"-optimizeDbBeforeStartup", "there is no file to compact: give --db or -dbPath"},
    {"-inMemory -dbPath x", "-inMemory and -dbPath cannot both be given"},
    {"--db x -inMemory", "-inMemory and --db cannot both be given"},
    {"--db x -dbPath y", "--db and -dbPath cannot both be given"},
    {"--endpoint http://x", "option --endpoint does not go with this command"},
    {"healthcheck --port 1", "option --port does not go with this command"},
    {"healthcheck --wait soon", "option --wait: \"soon\" is not a number of seconds up to an hour"},
    {"healthcheck --wait -1", "option --wait: \"-1\" is not a number of seconds up to an hour"},
    {"healthcheck stray", "unexpected word stray; --help lists all options"},
    {"ctl --port 1 clock", "option --port does not go with this command"},
    {"ctl --endpoint x clock", "option --endpoint: \"x\" does not begin with http:// or https://"},
    {"import --create x", "--create needs --key, such as --key pk:S"},
    {"import --key pk:S x", "--key needs --create"},
    {"import --types a=Q x",
     "option --types: \"a=Q\" is not COLUMN=TYPE,… with types such as S, N, "
     "B, BOOL, SS, L or M"},
    {"import --map old x", "option --map: \"old\" is not OLD=NEW"},
    {"import --map =new x", "option --map: \"=new\" is not OLD=NEW"},
    {"import --map old= x", "option --map: \"old=\" is not OLD=NEW"},
    {"healthcheck --endpoint x",
     "option --endpoint: \"x\" does not begin with http:// or https://"},
};

START_TEST(refuses_the_rest_in_one_line)
{
    struct command_line line;
    const char *problem = read(refused[_i].line, &line);

    ck_assert_msg(problem != NULL, "%s is taken", refused[_i].line);
    ck_assert_str_eq(problem, refused[_i].problem);
}
END_TEST

static const struct {
    const char *line, *repeated;
} repeated[] = {
    {"--port 1 --port 2", "--port"},
    {"--port 1 -port 2", "-port"},
    {"--cors a -cors b", "-cors"},
    {"--db a --port 1 --db b --db c", "--db"},
    {"import p --db a --db b", "--db"},
    {"--port 1 --db a", NULL},
    {"--read-only --read-only", NULL},
    {"--fixtures a --fixtures b --faults e --faults f", NULL},
    {"--mask c --mask d", NULL},
    {"--patterns a --patterns b --allow-host a --allow-host b", NULL},
    {"--fail-on no=Scan --fail-on no=Query", NULL},
    {"-Xmx1g -Xms1g -jar a -jar b", NULL},
    {"import p --only a --only b --map a=b --map c=d", NULL},
    {"pull --table a --table b", NULL},
};

START_TEST(of_an_option_that_is_repeated_the_last_counts_and_it_is_named)
{
    struct command_line line = read_well(repeated[_i].line);

    ck_assert_str_eq(line.given.repeated ? line.given.repeated : "none",
                     repeated[_i].repeated ? repeated[_i].repeated : "none");
    if (_i < 2)
        ck_assert_int_eq(((const struct serve_options *)line.options)->port, 2);
}
END_TEST

static const struct {
    const char *line, *db;
} kept[] = {
    {"-sharedDb", "mockddb.db"},
    {"-port 1", "mockddb.db"},
    {"-Djava.library.path=a -jar DynamoDBLocal.jar -sharedDb", "mockddb.db"},
    {"serve -cors *", "mockddb.db"},
    {"-dbPath data -sharedDb", "data/mockddb.db"},
    {"-sharedDb -inMemory", NULL},
    {"-sharedDb --port 0", NULL},
    {"--read-only -jar DynamoDBLocal.jar", NULL},
    {"run -sharedDb -- true", NULL},
    {"", NULL},
};

START_TEST(a_command_line_of_dynamodb_local_keeps_a_file)
{
    struct command_line line = read_well(kept[_i].line);
    const struct serve_options *o = line.options;

    ck_assert_str_eq(o->setup.db ? o->setup.db : "none", kept[_i].db ? kept[_i].db : "none");
    ck_assert_int_eq(o->keeps_as_local, kept[_i].db && !strchr(kept[_i].db, '/'));
}
END_TEST

START_TEST(help_names_every_option)
{
    static const char *const names[] = {"serve",  "healthcheck", "ctl VERB",
                                        "--host", "--sync",      "-dbPath DIR"};
    const char *help = command_help(arena, NULL);

    for (size_t i = 0; i < COUNT(names); i++)
        ck_assert_msg(strstr(help, names[i]) != NULL, "no %s", names[i]);
}
END_TEST

START_TEST(help_of_a_command_names_its_own_options)
{
    struct command_line line = read_well("import --help");
    const char *help = command_help(arena, line.command);

    ck_assert(line.is_named);
    ck_assert_ptr_eq(strstr(help, "usage: mockddb import PATH …"), help);
    ck_assert_ptr_nonnull(strstr(help, "--create"));
    ck_assert_ptr_nonnull(strstr(help, "--version"));
    ck_assert_ptr_null(strstr(help, "--sync"));
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, without_options_it_serves_from_memory_on_loopback);
    tcase_add_test(tc, takes_what_it_is_given);
    tcase_add_test(tc, takes_the_flags_of_dynamodb_local);
    tcase_add_loop_test(tc, knows_its_commands, 0, COUNT(commands));
    tcase_add_loop_test(tc, options_may_stand_among_the_words_of_a_command, 0, COUNT(own_words));
    tcase_add_loop_test(tc, takes_a_java_command_line, 0, COUNT(java_lines));
    tcase_add_loop_test(tc, refuses_the_rest_in_one_line, 0, COUNT(refused));
    tcase_add_loop_test(tc, of_an_option_that_is_repeated_the_last_counts_and_it_is_named, 0,
                        COUNT(repeated));
    tcase_add_loop_test(tc, a_command_line_of_dynamodb_local_keeps_a_file, 0, COUNT(kept));
    tcase_add_test(tc, help_names_every_option);
    tcase_add_test(tc, help_of_a_command_names_its_own_options);
}

UNIT_TESTS(command, add_tests)
