#include "unit.h"

#include "http/http_door.h"

#define PORT   8000
#define NO_US  "the Host header names no address of this server"
#define OTHERS "this is not for pages of other sites"

static const struct {
    const char *served, *host, *problem;
} hosts[] = {
    {"127.0.0.1", "127.0.0.1:8000", NULL},
    {"127.0.0.1", "127.0.0.1", NULL},
    {"127.0.0.1", "127.1.2.3:8000", NULL},
    {"127.0.0.1", "localhost:8000", NULL},
    {"127.0.0.1", "LocalHost", NULL},
    {"127.0.0.1", "db.localhost:8000", NULL},
    {"127.0.0.1", "[::1]:8000", NULL},
    {"127.0.0.1", "[0:0:0:0:0:0:0:1]", NULL},
    {"10.0.0.5", "10.0.0.5:8000", NULL},
    {"10.0.0.5", "localhost:8000", NULL},
    {"db.example", "DB.example:8000", NULL},
    {"fe80::1", "[fe80::1]:8000", NULL},
    {"127.0.0.1", NULL, NO_US},
    {"127.0.0.1", "", NO_US},
    {"127.0.0.1", ":8000", NO_US},
    {"127.0.0.1", "attacker.example:8000", NO_US},
    {"127.0.0.1", "a-name-that-is-longer-than-the-text-of-any-address.example:8000", NO_US},
    {"127.0.0.1", "localhost.attacker.example:8000", NO_US},
    {"127.0.0.1", "notlocalhost:8000", NO_US},
    {"127.0.0.1", ".localhost:8000", NO_US},
    {"127.0.0.1", "127.0.0.1.attacker.example:8000", NO_US},
    {"127.0.0.1", "10.0.0.5:8000", NO_US},
    {"127.0.0.1", "[::2]:8000", NO_US},
    {"127.0.0.1", "[::1:8000", NO_US},
    {"127.0.0.1", "[::1]x", NO_US},
    {"127.0.0.1", "localhost:80a", NO_US},
    {"127.0.0.1", "localhost:9000", NO_US},
    {"127.0.0.1", "localhost:08000", NO_US},
    {"127.0.0.1", "user@localhost:8000", NO_US},
    {"0.0.0.0", "10.0.0.5:8000", NULL},
    {"0.0.0.0", "localhost:9000", NULL},
    {"::", "[fe80::1]:8000", NULL},
    {"::", "192.168.1.2:32768", NULL},
    {"0.0.0.0", "attacker.example:8000", NO_US},
    {"::", "attacker.example", NO_US},
    {"0.0.0.0", "mockddb:8000", NULL},
    {"::", "Mock-ddb_1", NULL},
    {"0.0.0.0", "user@mockddb:8000", NO_US},
    {"0.0.0.0", "attacker.", NO_US},
    {"127.0.0.1", "mockddb:8000", NO_US},
    {"10.0.0.5", "mockddb", NO_US},
};

START_TEST(only_addresses_and_names_that_are_served_open)
{
    struct http_fields fields = {.host = hosts[_i].host};
    const struct http_door door = {.served = hosts[_i].served};
    const char *problem = http_door_refuses_own(&door, PORT, false, &fields);

    ck_assert_msg(!problem == !hosts[_i].problem, "%s at %s", hosts[_i].host, hosts[_i].served);
    if (problem)
        ck_assert_str_eq(problem, hosts[_i].problem);
}
END_TEST

static const struct {
    const char *host;
    bool refused;
} names[] = {
    {"db.example", false},         {"DB.example:9000", false}, {"other:8000", false},
    {"localhost:8000", false},     {"example", true},          {"my.db.example", true},
    {"db.example.attacker", true}, {"db.exampl", true},
};

START_TEST(allowed_names_open_at_any_port)
{
    static const char *const allowed[] = {"db.example", "other"};
    const struct http_door door = {"127.0.0.1", allowed, COUNT(allowed), NULL};
    struct http_fields fields = {.host = names[_i].host};

    ck_assert_int_eq(http_door_refuses_own(&door, PORT, false, &fields) != NULL, names[_i].refused);
}
END_TEST

static const struct {
    const char *origin, *sec_fetch_site, *problem;
} pages[] = {
    {NULL, NULL, NULL},
    {NULL, "none", NULL},
    {NULL, "same-origin", NULL},
    {"http://localhost:8000", "same-origin", NULL},
    {"https://LOCALHOST:8000", NULL, NULL},
    {"http://localhost:3000", NULL, OTHERS},
    {"http://127.0.0.1:8000", NULL, OTHERS},
    {"http://attacker.example", NULL, OTHERS},
    {"http://localhost:8000.attacker.example", NULL, OTHERS},
    {"null", NULL, OTHERS},
    {"", NULL, OTHERS},
    {NULL, "cross-site", OTHERS},
    {NULL, "same-site", OTHERS},
    {NULL, "", OTHERS},
    {"http://localhost:8000", "cross-site", OTHERS},
};

START_TEST(pages_of_other_sites_are_refused)
{
    struct http_fields fields = {.host = "localhost:8000",
                                 .origin = pages[_i].origin,
                                 .sec_fetch_site = pages[_i].sec_fetch_site};
    const char *problem = http_door_refuses_own(&(struct http_door){.served = "127.0.0.1"}, PORT,
                                                false, &fields);

    ck_assert_str_eq(problem ? problem : "none", pages[_i].problem ? pages[_i].problem : "none");
}
END_TEST

static const struct {
    bool linked;
    const char *host, *origin, *mode, *dest;
    bool refused;
} links[] = {
    {true, "localhost:8000", NULL, "navigate", "document", false},
    {true, "localhost:8000", NULL, "navigate", "iframe", true},
    {true, "localhost:8000", NULL, "navigate", NULL, true},
    {true, "localhost:8000", NULL, "no-cors", "document", true},
    {true, "localhost:8000", NULL, NULL, "document", true},
    {true, "localhost:8000", "http://attacker.example", "navigate", "document", true},
    {true, "localhost:8000", "null", "navigate", "document", true},
    {true, "attacker.example:8000", NULL, "navigate", "document", true},
    {false, "localhost:8000", NULL, "navigate", "document", true},
};

START_TEST(a_link_opens_the_page_and_nothing_else)
{
    const struct http_fields fields = {.host = links[_i].host,
                                       .origin = links[_i].origin,
                                       .sec_fetch_site = "cross-site",
                                       .sec_fetch_mode = links[_i].mode,
                                       .sec_fetch_dest = links[_i].dest};
    const struct http_door door = {.served = "127.0.0.1"};

    ck_assert_int_eq(http_door_refuses_own(&door, PORT, links[_i].linked, &fields) != NULL,
                     links[_i].refused);
}
END_TEST

static const struct {
    const char *served, *listed, *origin;
    bool refused;
} origins[] = {
    {"127.0.0.1", NULL, NULL, false},
    {"127.0.0.1", NULL, "http://localhost:3000", false},
    {"127.0.0.1", NULL, "https://LOCALHOST", false},
    {"127.0.0.1", NULL, "http://app.localhost:5173", false},
    {"127.0.0.1", NULL, "http://127.0.0.1:8000", false},
    {"127.0.0.1", NULL, "http://127.9.9.9", false},
    {"127.0.0.1", NULL, "http://[::1]:8000", false},
    {"127.0.0.1", NULL, "http://db.example:3000", false},
    {"127.0.0.1", NULL, "http://DB.example", false},
    {"10.0.0.5", NULL, "http://10.0.0.5:3000", false},
    {"10.0.0.5", NULL, "http://localhost:3000", false},
    {"box.example", NULL, "http://box.example", false},
    {"fe80:0::1", NULL, "http://[fe80::1]:8000", false},
    {"127.0.0.1", "*", "http://attacker.example", false},
    {"127.0.0.1", "*", "null", false},
    {"127.0.0.1", "null", "null", false},
    {"127.0.0.1", "http://a.example,https://b.example:1", "https://b.example:1", false},
    {"127.0.0.1", "http://a.example", "http://localhost:3000", false},
    {"127.0.0.1", NULL, "http://attacker.example", true},
    {"127.0.0.1", NULL, "http://attacker.example:8000", true},
    {"127.0.0.1", NULL, "null", true},
    {"127.0.0.1", NULL, "", true},
    {"127.0.0.1", NULL, "*", true},
    {"127.0.0.1", NULL, "localhost", true},
    {"127.0.0.1", NULL, "file://localhost", true},
    {"127.0.0.1", NULL, "chrome-extension://localhost", true},
    {"127.0.0.1", NULL, "http://localhost.attacker.example", true},
    {"127.0.0.1", NULL, "http://127.0.0.1.attacker.example", true},
    {"127.0.0.1", NULL, "http://attackerlocalhost", true},
    {"127.0.0.1", NULL, "http://attacker.example/localhost", true},
    {"127.0.0.1", NULL, "http://attacker.example@localhost", true},
    {"127.0.0.1", NULL, "http://localhost@attacker.example", true},
    {"127.0.0.1", NULL, "http://localhost:80.attacker.example", true},
    {"127.0.0.1", NULL, "http://db.example.attacker", true},
    {"127.0.0.1", NULL, "http://10.0.0.5", true},
    {"127.0.0.1", "", "http://attacker.example", true},
    {"127.0.0.1", "http://a.example", "https://a.example", true},
    {"127.0.0.1", "http://a.example", "http://a.example:8000", true},
    {"127.0.0.1", "http://a.example", "http://a.exampl", true},
    {"127.0.0.1", "http://a.example", "null", true},
    {"0.0.0.0", NULL, "http://10.0.0.5:8000", true},
    {"0.0.0.0", NULL, "http://attacker:8000", true},
    {"0.0.0.0", NULL, "http://localhost:8000", false},
};

START_TEST(pages_of_this_machine_and_of_those_that_were_named_may_use_the_protocol)
{
    static const char *const allowed[] = {"db.example"};
    const struct http_door door = {origins[_i].served, allowed, COUNT(allowed), origins[_i].listed};
    /* A page under a rebound name sends its own name, or what it likes. */
    const struct http_fields fields = {.host = "127.0.0.1:8000", .origin = origins[_i].origin};

    ck_assert_msg(!http_door_refuses(&door, &fields) == !origins[_i].refused, "%s",
                  origins[_i].origin);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, only_addresses_and_names_that_are_served_open, 0, COUNT(hosts));
    tcase_add_loop_test(tc, allowed_names_open_at_any_port, 0, COUNT(names));
    tcase_add_loop_test(tc, pages_of_other_sites_are_refused, 0, COUNT(pages));
    tcase_add_loop_test(tc, a_link_opens_the_page_and_nothing_else, 0, COUNT(links));
    tcase_add_loop_test(tc, pages_of_this_machine_and_of_those_that_were_named_may_use_the_protocol,
                        0, COUNT(origins));
}

UNIT_TESTS(http_door, add_tests)
