#include "unit.h"

#include "client/client_endpoint.h"

#define SERVICE "https://dynamodb.us-east-1.amazonaws.com"

static const char *const variables[] = {
    "AWS_ENDPOINT_URL",
    "AWS_ENDPOINT_URL_DYNAMODB",
    "AWS_ENDPOINT_URL_DYNAMODB_STREAMS",
    "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS",
};

static const struct {
    const char *about;
    const char *environment[4]; /* NAME=VALUE */
    struct client_endpoint_question question;
    const char *url, *note;
} found[] = {
    {"nothing is said", {NULL}, {.writes = true}, CLIENT_ENDPOINT_DEFAULT, NULL},
    {"a variable",
     {"AWS_ENDPOINT_URL=http://127.0.0.1:1"},
     {.writes = true},
     "http://127.0.0.1:1",
     "asking http://127.0.0.1:1, which AWS_ENDPOINT_URL names"},
    {"the service's own variable wins",
     {"AWS_ENDPOINT_URL=http://127.0.0.1:1", "AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:2"},
     {.writes = false},
     "http://127.0.0.1:2",
     "asking http://127.0.0.1:2, which AWS_ENDPOINT_URL_DYNAMODB names"},
    {"streams have a variable of their own",
     {"AWS_ENDPOINT_URL=http://127.0.0.1:1", "AWS_ENDPOINT_URL_DYNAMODB_STREAMS=http://[::1]:3"},
     {.streams = true},
     "http://[::1]:3",
     "asking http://[::1]:3, which AWS_ENDPOINT_URL_DYNAMODB_STREAMS names"},
    {"which is not for tables",
     {"AWS_ENDPOINT_URL_DYNAMODB_STREAMS=http://127.0.0.1:3"},
     {.writes = true},
     CLIENT_ENDPOINT_DEFAULT,
     NULL},
    {"as the tables' is not for streams",
     {"AWS_ENDPOINT_URL=http://127.0.0.1:1", "AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:2"},
     {.streams = true},
     "http://127.0.0.1:1",
     "asking http://127.0.0.1:1, which AWS_ENDPOINT_URL names"},
    {"an empty variable is none",
     {"AWS_ENDPOINT_URL=http://127.0.0.1:1", "AWS_ENDPOINT_URL_DYNAMODB="},
     {.writes = true},
     "http://127.0.0.1:1",
     "asking http://127.0.0.1:1, which AWS_ENDPOINT_URL names"},
    {"variables are ignored",
     {"AWS_ENDPOINT_URL=http://127.0.0.1:1", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS=True"},
     {.writes = true},
     CLIENT_ENDPOINT_DEFAULT,
     NULL},
    {"they are not",
     {"AWS_ENDPOINT_URL=http://127.0.0.1:1", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS=1"},
     {.writes = true},
     "http://127.0.0.1:1",
     "asking http://127.0.0.1:1, which AWS_ENDPOINT_URL names"},
    {"a pasted URL of this machine wins over variables",
     {"AWS_ENDPOINT_URL=http://127.0.0.1:1"},
     {.pasted = "http://localhost:4", .writes = true},
     "http://localhost:4",
     "asking http://localhost:4, which --endpoint-url names"},
    {"also where they are ignored",
     {"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS=true"},
     {.pasted = "http://127.0.0.1:4/"},
     "http://127.0.0.1:4/",
     "asking http://127.0.0.1:4/, which --endpoint-url names"},
    {"one of another machine does not",
     {"AWS_ENDPOINT_URL=http://127.0.0.1:1"},
     {.pasted = SERVICE, .writes = true},
     "http://127.0.0.1:1",
     "asking http://127.0.0.1:1: --endpoint-url " SERVICE " is not this machine"},
    {"nor over the default",
     {NULL},
     {.pasted = "http://127.0.0.1.example.com", .writes = true},
     CLIENT_ENDPOINT_DEFAULT,
     "asking " CLIENT_ENDPOINT_DEFAULT
     ": --endpoint-url http://127.0.0.1.example.com is not this machine"},
    {"a variable of another machine is read from",
     {"AWS_ENDPOINT_URL_DYNAMODB=" SERVICE},
     {.writes = false},
     SERVICE,
     "asking " SERVICE ", which AWS_ENDPOINT_URL_DYNAMODB names"},
    {"what the program asks otherwise",
     {"AWS_ENDPOINT_URL="},
     {.otherwise = SERVICE},
     SERVICE,
     "asking " SERVICE},
    {"a variable wins over it",
     {"AWS_ENDPOINT_URL=http://127.0.0.1:1"},
     {.otherwise = SERVICE},
     "http://127.0.0.1:1",
     "asking http://127.0.0.1:1, which AWS_ENDPOINT_URL names"},
    {"the option wins over all",
     {"AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:2"},
     {.option = SERVICE, .pasted = "http://127.0.0.1:4", .writes = true},
     SERVICE,
     "asking " SERVICE ", not --endpoint-url http://127.0.0.1:4"},
    {"and the pasted URL may say the same",
     {NULL},
     {.option = SERVICE, .pasted = SERVICE},
     SERVICE,
     NULL},
};

static void set_variables(const char *const *list)
{
    for (size_t i = 0; i < COUNT(variables); i++)
        unsetenv(variables[i]);
    for (; *list; list++) {
        char *copy = arena_text(arena, span_of(*list)), *equals = strchr(copy, '=');

        *equals = '\0';
        setenv(copy, equals + 1, 1);
    }
}

START_TEST(says_which_server_is_asked)
{
    struct client_endpoint got;

    set_variables(found[_i].environment);
    ck_assert_ptr_null(client_endpoint_find(arena, &found[_i].question, &got));
    ck_assert_msg(strcmp(got.url, found[_i].url) == 0, "%s: %s", found[_i].about, got.url);
    ck_assert_pstr_eq(got.note, found[_i].note);
}
END_TEST

static const struct {
    const char *environment[2];
    struct client_endpoint_question question;
    const char *problem;
} refused[] = {
    {{"AWS_ENDPOINT_URL_DYNAMODB=" SERVICE},
     {.writes = true},
     "AWS_ENDPOINT_URL_DYNAMODB names " SERVICE
     ", which is not this machine: to write there, give --endpoint"},
    {{"AWS_ENDPOINT_URL=http://0.0.0.0:8000"},
     {.writes = true, .pasted = "http://10.0.0.1"},
     "AWS_ENDPOINT_URL names http://0.0.0.0:8000, which is not this machine: to write there, give "
     "--endpoint"},
    {{"AWS_ENDPOINT_URL=localhost:8000"},
     {.writes = false},
     "AWS_ENDPOINT_URL: localhost:8000 is no endpoint: expected http://HOST:PORT or "
     "https://HOST"},
    {{"AWS_ENDPOINT_URL=http://a:secret@127.0.0.1"},
     {.writes = false},
     "AWS_ENDPOINT_URL: no endpoint takes a user or a password in its URL"},
    {{NULL},
     {.pasted = "localhost:8000"},
     "--endpoint-url: localhost:8000 is no endpoint: expected http://HOST:PORT or https://HOST"},
};

START_TEST(says_why_none_may_be_asked)
{
    struct client_endpoint got;

    set_variables(refused[_i].environment);
    ck_assert_pstr_eq(client_endpoint_find(arena, &refused[_i].question, &got),
                      refused[_i].problem);
}
END_TEST

START_TEST(knows_the_service)
{
    ck_assert_str_eq(client_endpoint_of_service(arena, "us-east-1"), SERVICE);
    ck_assert_str_eq(client_endpoint_of_service(arena, "cn-north-1"),
                     "https://dynamodb.cn-north-1.amazonaws.com.cn");
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, says_which_server_is_asked, 0, COUNT(found));
    tcase_add_test(tc, knows_the_service);
    tcase_add_loop_test(tc, says_why_none_may_be_asked, 0, COUNT(refused));
}

UNIT_TESTS(client_endpoint, add_tests)
