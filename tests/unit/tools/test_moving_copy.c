/* Copies of tables: an error ends them, is reported, and leaves what a later run continues. */
#include "client/client.h"
#include "dispatch/dispatch_client.h"
#include "moving/moving_copy.h"
#include "support/offline_server.h"
#include "unit.h"

#include <unistd.h>

#define ITEMS 60 /* three batches */

/* Passes calls on, except for some writes: there, the connection breaks. */
struct breaking {
    struct client client; /* first */
    struct client *inner;
    size_t writes, broken_at; /* the write that breaks; 0: none */
};

static const char *call(struct client *client, struct arena *a, const char *operation,
                        struct span request, struct client_answer *out)
{
    struct breaking *b = (struct breaking *)client;

    if (strcmp(operation, "BatchWriteItem") == 0 && ++b->writes == b->broken_at)
        return "the connection broke";
    return client_call(b->inner, a, operation, request, out);
}

static const char *call_all(struct client *client, struct arena *a, const char *operation,
                            const struct span *requests, size_t count, struct client_answer *out)
{
    const char *problem = NULL;

    for (size_t i = 0; i < count && !problem; i++)
        problem = call(client, a, operation, requests[i], &out[i]);
    return problem;
}

static int64_t now_ms(struct client *client, struct arena *a)
{
    return client_now_ms(((struct breaking *)client)->inner, a);
}

static const char *flush(struct client *client)
{
    (void)client;
    return NULL;
}

static const struct client_transport transport = {
    .width = 1, .call = call, .call_all = call_all, .now_ms = now_ms, .flush = flush};

static struct offline_server server;
static char folder[UNIT_FOLDER_SIZE];
static const char *state;

static const char *send(const char *operation, const char *body)
{
    struct span answer;

    ck_assert_int_eq(offline_server_send(&server, span_of(operation), span_of(body), &answer), 200);
    return arena_text(arena, answer);
}

static void start(void)
{
    unit_make_folder(folder);
    state = arena_printf(arena, "%s/state", folder);
    offline_server_open(&server, arena, &(struct offline_options){.seed = 1});
    send("CreateTable", offline_server_table_of(arena, "Empty", ""));
    send("CreateTable", offline_server_table_of(arena, "T01", ""));
    for (int i = 0; i < ITEMS; i++)
        send("PutItem",
             arena_printf(arena, "{\"TableName\":\"T01\",\"Item\":{\"pk\":{\"S\":\"%d\"}}}", i));
}

static void stop(void)
{
    offline_server_close(&server);
    unlink(state);
    ck_assert_int_eq(rmdir(folder), 0);
}

/* Copies both tables, T01 to new-T01. */
static const char *copy(size_t broken_at, struct moving_report *report)
{
    struct client *here = dispatch_client_new(arena, server.dispatcher,
                                              &(struct dispatch_client_options){.name = "here"});
    struct breaking to = {.client = {.transport = &transport, .name = "there", .is_here = true},
                          .inner = here,
                          .broken_at = broken_at};
    struct moving_names tables = {.count = 0};
    struct moving_copy c = {.pages = {.state = state},
                            .from = here,
                            .to = &to.client,
                            .tables = &tables,
                            .prefix = "new-",
                            .report = report};
    const char *problem;

    moving_names_add(arena, &tables, SPAN_LIT("Empty"));
    moving_names_add(arena, &tables, SPAN_LIT("T01"));
    problem = moving_copy_run(arena, &c);
    client_free(here);
    return problem;
}

static bool has_all(void)
{
    return strstr(send("Scan", "{\"TableName\":\"new-T01\",\"Select\":\"COUNT\"}"),
                  arena_printf(arena, "\"Count\":%d,", ITEMS)) != NULL;
}

START_TEST(a_copy_that_breaks_says_so_and_is_continued)
{
    struct moving_report report = {.items = 0};
    const char *problem;

    start();
    problem = copy((size_t)_i, &report);
    if (_i) {
        ck_assert_msg(problem && strstr(problem, "the connection broke"), "%s", problem);
        ck_assert(!has_all());
        problem = copy(0, &report);
    }
    ck_assert_msg(!problem, "%s", problem);
    ck_assert(has_all());
    ck_assert_int_ne(access(state, F_OK), 0);
    stop();
}
END_TEST

/* --- pages with another sink ------------------------------------------------------------------ */

struct sink {
    struct moving_pages pages; /* first */
    struct client *from;
    size_t puts, finishes;
    bool is_full;
};

static const char *begin_part(struct moving_pages *p, struct arena *a, struct moving_scan *out)
{
    return moving_scan_describe(a, ((struct sink *)p)->from, SPAN_LIT("T01"), out);
}

static const char *put(struct moving_pages *p, struct arena *page, const struct moving_scan *scan,
                       const wire_node *items)
{
    struct sink *s = (struct sink *)p;

    (void)page;
    (void)scan;
    (void)items;
    s->puts++;
    return s->is_full ? "no room" : NULL;
}

static const char *finish(struct moving_pages *p)
{
    ((struct sink *)p)->finishes++;
    return NULL;
}

static void write_nothing(const struct moving_pages *p, struct wire_writer *w)
{
    (void)p;
    (void)w;
}

static void read_nothing(struct moving_pages *p, const wire_node *from)
{
    (void)p;
    (void)from;
}

START_TEST(pages_are_finished_only_when_all_are_put)
{
    struct sink s = {.pages = {.count = 2,
                               .state = NULL,
                               .plan = SPAN_LIT("plan"),
                               .part_name = "part",
                               .done_name = "items",
                               .begin = begin_part,
                               .put = put,
                               .finish = finish,
                               .write_state = write_nothing,
                               .read_state = read_nothing},
                     .is_full = _i};
    const char *problem;
    bool found;

    start();
    s.pages.state = state;
    s.from = dispatch_client_new(arena, server.dispatcher,
                                 &(struct dispatch_client_options){.name = "here"});
    ck_assert_ptr_null(moving_pages_open(arena, &s.pages, &found));
    problem = moving_pages_run(arena, &s.pages);
    if (_i)
        ck_assert_str_eq(problem, "no room");
    else
        ck_assert_ptr_null(problem);
    ck_assert_uint_eq(s.puts, _i ? 1 : 2);
    ck_assert_uint_eq(s.finishes, _i ? 0 : 1);
    client_free(s.from);
    stop();
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, pages_are_finished_only_when_all_are_put, 0, 2);
    tcase_add_loop_test(tc, a_copy_that_breaks_says_so_and_is_continued, 0, 4);
}

UNIT_TESTS(moving_copy, add_tests)
