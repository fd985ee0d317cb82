#include "unit.h"

#include "admin/admin.h"
#include "base/file.h"
#include "support/offline_server.h"

#include <unistd.h>

#define FILES 3 /* of imports */

static struct clock *now;
static struct worlds *worlds;
static struct admin *admin;

static void open_admin(void)
{
    worlds = offline_worlds_new(arena, &(struct offline_options){.seed = 1}, &now);
    admin = admin_new(worlds, NULL);
}

static void close_admin(void)
{
    admin_free(admin);
    worlds_free(worlds);
}

static struct admin_request request_of(const char *method, const char *path, const char *body)
{
    return (struct admin_request){
        .method = method, .path = span_of(path), .query = SPAN_LIT(""), .body = span_of(body)};
}

static struct admin_work *begin(const struct admin_request *request)
{
    struct admin_reply reply;

    admin_handle(admin, request, &reply);
    ck_assert_msg(reply.work != NULL, "%.*s", SPAN_ARG(reply.body));
    return reply.work;
}

static bool must_wait(const char *method, const char *path)
{
    struct admin_request request = request_of(method, path, "{}");

    return admin_must_wait(admin, &request);
}

/* --- work that keeps memory ------------------------------------------------------------------- */

static const char patterns[] =
    "{\"file\": {\"patterns\": [{\"name\": \"tables\", \"question\": \"which are there?\", "
    "\"steps\": [{\"operation\": \"ListTables\", \"request\": {}}]}]}}";

START_TEST(of_what_keeps_much_memory_one_goes_on_and_others_are_not_begun)
{
    struct admin_request request = request_of("POST", "patterns/run", patterns);
    struct admin_work *work;

    open_admin();
    ck_assert(!must_wait("POST", "assert"));
    work = begin(&request);
    ck_assert(must_wait("POST", "assert"));
    ck_assert(must_wait("POST", "patterns/run"));
    ck_assert(!must_wait("GET", "journal"));
    ck_assert(!must_wait("POST", "clock"));
    ck_assert(!must_wait("POST", "nothing"));
    admin_end(work);
    ck_assert(!must_wait("POST", "assert"));
    ck_assert(!must_wait("POST", "patterns/run"));
    close_admin();
}
END_TEST

/* Their files are not in memory, and gone after the request. */
START_TEST(imports_begin_at_once_and_are_worked_on_in_their_order)
{
    struct admin_request request = request_of("POST", "import", "");
    struct admin_work *works[FILES];
    char folder[UNIT_FOLDER_SIZE];
    struct admin_reply reply;
    const char *path;

    open_admin();
    unit_make_folder(folder);
    path = arena_printf(arena, "%s/items", folder);
    ck_assert(file_append_lines(folder, path, SPAN_LIT("{\"id\":\"a\"}\n")));
    request.query = SPAN_LIT("table=Notes&key=id:S");
    request.file = path;
    for (size_t i = 0; i < FILES; i++) {
        ck_assert(!admin_must_wait(admin, &request));
        works[i] = begin(&request);
    }
    for (size_t later = FILES; later-- > 1;)
        ck_assert(!admin_step(admin, works[later], &reply));
    for (size_t i = 0; i < FILES; i++) {
        while (!admin_step(admin, works[i], &reply))
            continue;
        ck_assert_int_eq(reply.status, 200);
        admin_end(works[i]);
    }
    ck_assert(!must_wait("POST", "assert"));
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(rmdir(folder), 0);
    close_admin();
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, of_what_keeps_much_memory_one_goes_on_and_others_are_not_begun);
    tcase_add_test(tc, imports_begin_at_once_and_are_worked_on_in_their_order);
}

int main(void)
{
    return unit_run("admin", add_tests);
}
