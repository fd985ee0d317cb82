#include "unit.h"

#include "commands/ctl_verbs.h"

#define MAX_WORDS 8

static const char *read(const char *line, struct ctl_request *out)
{
    char *text = arena_text(arena, span_of(line));
    char *words[MAX_WORDS + 1] = {NULL};
    int count = 0;

    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        words[count++] = word;
    return ctl_verbs_read(arena, words, out);
}

static const struct {
    const char *line, *method, *path, *query, *body;
} requests[] = {
    {"clock", "GET", "/_mockddb/clock", "", ""},
    {"clock freeze=2026-01-01T00:00:00Z", "POST", "/_mockddb/clock", "",
     "{\"freeze\": \"2026-01-01T00:00:00Z\"}"},
    {"clock advance=36h", "POST", "/_mockddb/clock", "", "{\"advance\": \"36h\"}"},
    {"clock rate=60", "POST", "/_mockddb/clock", "", "{\"rate\": 60}"},
    {"clock resume=true", "POST", "/_mockddb/clock", "", "{\"resume\": true}"},
    {"reset", "POST", "/_mockddb/reset", "", ""},
    {"snapshots", "GET", "/_mockddb/snapshots", "", ""},
    {"snapshots drop one", "DELETE", "/_mockddb/snapshots/one", "", ""},
    {"snapshot one", "POST", "/_mockddb/snapshots/one", "", ""},
    {"restore one", "POST", "/_mockddb/snapshots/one/restore", "", ""},
    {"restore a/b?c", "POST", "/_mockddb/snapshots/a%2Fb%3Fc/restore", "", ""},
    {"worlds", "GET", "/_mockddb/worlds", "", ""},
    {"worlds drop w", "DELETE", "/_mockddb/worlds/w", "", ""},
    {"journal", "GET", "/_mockddb/journal", "", ""},
    {"journal operation=Query table=a&b", "GET", "/_mockddb/journal", "operation=Query&table=a%26b",
     ""},
    {"journal clear", "DELETE", "/_mockddb/journal", "", ""},
    {"journal --follow", "GET", "/_mockddb/journal", "follow=true", ""},
    {"journal --follow limit=1", "GET", "/_mockddb/journal", "limit=1&follow=true", ""},
    {"faults", "GET", "/_mockddb/faults", "", ""},
    {"faults clear", "DELETE", "/_mockddb/faults", "", ""},
    {"faults drop 3", "DELETE", "/_mockddb/faults/3", "", ""},
    {"faults /dev/null", "POST", "/_mockddb/faults", "", ""},
    {"throttle", "GET", "/_mockddb/throttle", "", ""},
    {"throttle off", "DELETE", "/_mockddb/throttle", "", ""},
    {"throttle mode=provisioned tables=[\"T\"]", "POST", "/_mockddb/throttle", "",
     "{\"mode\": \"provisioned\", \"tables\": [\"T\"]}"},
    {"assert no=Scan max_read_units=20", "POST", "/_mockddb/assert", "",
     "{\"assert\": [{\"no\": \"Scan\"}, {\"max_read_units\": 20}]}"},
    {"patterns run", "POST", "/_mockddb/patterns/run", "", ""},
    {"patterns run allow_writes=true", "POST", "/_mockddb/patterns/run", "",
     "{\"allow_writes\": true}"},
    {"explain id-1", "GET", "/_mockddb/explanations/id-1", "", ""},
    {"GET clock", "GET", "/_mockddb/clock", "", ""},
    {"GET /journal?limit=1", "GET", "/_mockddb/journal", "limit=1", ""},
    {"POST /_mockddb/clock {\"freeze\":true}", "POST", "/_mockddb/clock", "", "{\"freeze\":true}"},
};

START_TEST(words_stand_for_requests)
{
    struct ctl_request r;
    const char *problem = read(requests[_i].line, &r);

    ck_assert_msg(!problem, "%s: %s", requests[_i].line, problem);
    ck_assert_str_eq(r.method, requests[_i].method);
    ck_assert_str_eq(r.path, requests[_i].path);
    ck_assert_str_eq(r.query, requests[_i].query);
    ck_assert_str_eq(arena_text(arena, r.body), requests[_i].body);
}
END_TEST

static const struct {
    const char *line, *problem;
} refused[] = {
    {"frob", "ctl knows no verb frob; `mockddb ctl help` lists them"},
    {"clock now", "clock: its arguments are member=value; `mockddb ctl help` shows how"},
    {"assert", "assert: its arguments are member=value; `mockddb ctl help` shows how"},
    {"faults no-such-file", "no-such-file: No such file or directory"},
    {"GET", "this is used as: mockddb ctl METHOD PATH [JSON]"},
    {"GET a {} b", "this is used as: mockddb ctl METHOD PATH [JSON]"},
    {"snapshot", "ctl knows no verb snapshot; `mockddb ctl help` lists them"},
};

START_TEST(other_words_are_refused)
{
    struct ctl_request r;
    const char *problem = read(refused[_i].line, &r);

    ck_assert_msg(problem != NULL, "%s is taken", refused[_i].line);
    ck_assert_str_eq(problem, refused[_i].problem);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, words_stand_for_requests, 0, COUNT(requests));
    tcase_add_loop_test(tc, other_words_are_refused, 0, COUNT(refused));
}

UNIT_TESTS(ctl, add_tests)
