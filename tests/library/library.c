/* library.c: tests of libmockddb, through its header alone. Needs fixtures/ecommerce in the current
 * folder. */
#include "library.h"

#include <check.h>
#include <dirent.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY 65534

static struct mockddb *db;
static struct mockddb_reply reply;
static char folder[] = "/tmp/mockddb-library-XXXXXX";
static char path[256];

static const char *in_folder(const char *name)
{
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void set_up(void)
{
    ck_assert_int_eq(mockddb_open(NULL, &db), MOCKDDB_OK);
}

static void tear_down(void)
{
    mockddb_close(db);
    db = NULL;
}

static void make_thing(const char *world)
{
    ck_assert_int_eq(library_call(db, world, "CreateTable", LIBRARY_TABLE, &reply), 200);
    ck_assert_int_eq(library_call(db, world, "PutItem", LIBRARY_PUT, &reply), 200);
}

static bool has_thing(const char *world)
{
    return library_call(db, world, "GetItem", LIBRARY_GET, &reply) == 200 &&
           library_has(&reply, "\"v\":{\"N\":\"1\"}");
}

/* --- opening ---------------------------------------------------------------------------------- */

START_TEST(it_says_its_version)
{
    ck_assert_int_eq(mockddb_abi(), MOCKDDB_ABI);
    ck_assert_str_eq(mockddb_version(), MOCKDDB_VERSION);
}
END_TEST

static const struct {
    const char *words[5];
    const char *problem;
} refused[] = {
    {{"--port", "8000"}, "--port is not an option that the library has"},
    {{"word"}, "word is not an option that the library has"},
    {{"--transition-ms"}, "option --transition-ms needs a value: N"},
    {{"--transition-ms", "x"},
     "option --transition-ms: \"x\" is not a number of milliseconds up to an hour"},
    {{"--journal", "1", "--journal", "2"}, "option --journal is given twice"},
    {{"--sync", "off"}, "--sync is about a file: give --db or -dbPath"},
    {{"--fail-on", "no=Scan"}, "--fail-on is for servers, not for the library"},
    {{"--store", "postgresql://db"}, "--store is for servers, not for the library"},
    {{"--worlds", "by-access-key"}, "--worlds by-access-key is for servers, not for the library"},
    {{"--kinesis-out", "http://localhost:1"},
     "--kinesis-out with a URL is for servers, not for the library"},
};

START_TEST(wrong_options_are_refused)
{
    ck_assert_int_eq(library_open(refused[_i].words, 0, &db), MOCKDDB_INVALID);
    ck_assert_str_eq(mockddb_problem(db), refused[_i].problem);
    /* The handle has only its problem. */
    ck_assert_int_eq(library_call(db, NULL, "ListTables", "{}", &reply), -MOCKDDB_INVALID);
    ck_assert_str_eq(mockddb_problem(db), refused[_i].problem);
    mockddb_close(db);
}
END_TEST

START_TEST(wrong_structs_are_refused)
{
    struct mockddb_options options = {.size = 0};

    ck_assert_int_eq(mockddb_open(NULL, NULL), MOCKDDB_INVALID);
    ck_assert_int_eq(mockddb_open(&options, &db), MOCKDDB_INVALID);
    ck_assert_str_eq(mockddb_problem(db), "the size of the options is not one of any version");
    mockddb_close(db);
    options = (struct mockddb_options){.size = sizeof options, .flags = 1u << 31};
    ck_assert_int_eq(mockddb_open(&options, &db), MOCKDDB_INVALID);
    mockddb_close(db);
    options = (struct mockddb_options){.size = sizeof options, .word_count = 1};
    ck_assert_int_eq(mockddb_open(&options, &db), MOCKDDB_INVALID);
    mockddb_close(db);
    ck_assert_int_eq(library_call(NULL, NULL, "ListTables", "{}", &reply), -MOCKDDB_INVALID);
    ck_assert_str_ne(mockddb_problem(NULL), "");
    mockddb_close(NULL);
}
END_TEST

/* A caller with a longer struct is newer than the library. */
START_TEST(a_newer_caller_is_served)
{
    struct {
        struct mockddb_options known;
        size_t more[4];
    } options = {.known = {.size = sizeof options}};

    ck_assert_int_eq(mockddb_open(&options.known, &db), MOCKDDB_OK);
    make_thing(NULL);
    mockddb_close(db);
}
END_TEST

/* --- requests --------------------------------------------------------------------------------- */

START_TEST(requests_are_answered)
{
    make_thing(NULL);
    ck_assert(has_thing(NULL));
    ck_assert_str_eq(reply.content_type, "application/x-amz-json-1.0");
    ck_assert_str_eq(mockddb_problem(db), "");
    ck_assert_int_eq(library_call(db, NULL, "GetThing", "{}", &reply), 400);
    ck_assert(library_has(&reply, "UnknownOperationException"));
    ck_assert_int_eq(library_call(db, NULL, "GetItem", "{", &reply), 400);
    ck_assert(library_has(&reply, "SerializationException"));
}
END_TEST

START_TEST(the_endpoint_is_the_host)
{
    struct mockddb_request request = {.size = sizeof request,
                                      .target = "DynamoDB_20120810.DescribeEndpoints",
                                      .body = "{}",
                                      .body_len = 2,
                                      .host = "here:80"};

    reply.size = sizeof reply;
    ck_assert_int_eq(mockddb_call(db, &request, &reply), MOCKDDB_OK);
    ck_assert(library_has(&reply, "\"here:80\""));
    request.size = offsetof(struct mockddb_request, host); /* an older caller */
    ck_assert_int_eq(mockddb_call(db, &request, &reply), MOCKDDB_OK);
    ck_assert(!library_has(&reply, "\"here:80\""));
}
END_TEST

START_TEST(bodies_have_a_length)
{
    static const char body[] = LIBRARY_GET "and more";
    struct mockddb_request request = {.size = sizeof request,
                                      .target = "DynamoDB_20120810.GetItem",
                                      .body = body,
                                      .body_len = sizeof LIBRARY_GET - 1};

    make_thing(NULL);
    reply.size = sizeof reply;
    ck_assert_int_eq(mockddb_call(db, &request, &reply), MOCKDDB_OK);
    ck_assert_int_eq(reply.status, 200);
}
END_TEST

START_TEST(wrong_requests_change_nothing)
{
    struct mockddb_request request = {.size = sizeof request, .target = "x.y", .flags = 1u << 31};

    make_thing(NULL);
    reply.size = sizeof reply;
    ck_assert_int_eq(mockddb_call(db, &request, &reply), MOCKDDB_INVALID);
    ck_assert_str_ne(mockddb_problem(db), "");
    request = (struct mockddb_request){.size = sizeof request};
    ck_assert_int_eq(mockddb_call(db, &request, &reply), MOCKDDB_INVALID);
    request = (struct mockddb_request){.size = sizeof request, .target = "x.y", .body_len = 1};
    ck_assert_int_eq(mockddb_call(db, &request, &reply), MOCKDDB_INVALID);
    request = (struct mockddb_request){.size = sizeof request, .target = "x.y", .region = "U S"};
    ck_assert_int_eq(mockddb_call(db, &request, &reply), MOCKDDB_INVALID);
    request = (struct mockddb_request){.size = 8, .target = "x.y"};
    ck_assert_int_eq(mockddb_call(db, &request, &reply), MOCKDDB_INVALID);
    ck_assert_int_eq(mockddb_call(db, NULL, &reply), MOCKDDB_INVALID);
    ck_assert_int_eq(mockddb_call(db, &request, NULL), MOCKDDB_INVALID);
    reply.size = 8;
    ck_assert_int_eq(mockddb_call(db, &request, &reply), MOCKDDB_INVALID);
    ck_assert_int_eq(mockddb_verb(db, NULL, NULL, "worlds", NULL, 0, &reply), MOCKDDB_INVALID);
    ck_assert(has_thing(NULL));
}
END_TEST

START_TEST(worlds_are_apart)
{
    make_thing("one");
    ck_assert(has_thing("one"));
    ck_assert(!has_thing(NULL) && !has_thing("two"));
    ck_assert_int_eq(library_call(db, "no/name", "ListTables", "{}", &reply), 400);
    ck_assert(library_has(&reply, "is not a world's name"));
}
END_TEST

START_TEST(regions_are_apart)
{
    struct mockddb_request request = {.size = sizeof request,
                                      .target = "DynamoDB_20120810.GetItem",
                                      .body = LIBRARY_GET,
                                      .body_len = sizeof LIBRARY_GET - 1,
                                      .region = "eu-west-1"};

    ck_assert_int_eq(library_open(WORDS("--regions", "by-request"), 0, &db), MOCKDDB_OK);
    make_thing(NULL);
    reply.size = sizeof reply;
    ck_assert_int_eq(mockddb_call(db, &request, &reply), MOCKDDB_OK);
    ck_assert_int_eq(reply.status, 400);
    request.region = "us-east-1";
    ck_assert_int_eq(mockddb_call(db, &request, &reply), MOCKDDB_OK);
    ck_assert_int_eq(reply.status, 200);
    mockddb_close(db);
}
END_TEST

START_TEST(explanations_are_kept)
{
    static const char body[] = "{\"TableName\":\"Thinks\",\"Key\":{\"pk\":{\"S\":\"a\"}}}";
    struct mockddb_request request = {.size = sizeof request,
                                      .target = "DynamoDB_20120810.GetItem",
                                      .body = body,
                                      .body_len = sizeof body - 1,
                                      .flags = MOCKDDB_EXPLAIN};

    make_thing(NULL);
    reply.size = sizeof reply;
    ck_assert_int_eq(mockddb_call(db, &request, &reply), MOCKDDB_OK);
    ck_assert_int_eq(reply.status, 400);
    ck_assert_uint_eq(reply.explanation, 1);
    ck_assert_int_eq(library_verb(db, NULL, "GET", "explanations/1", NULL, &reply), 200);
    ck_assert(library_has(&reply, "Things"));
}
END_TEST

static const struct {
    const char *rule;
    uint32_t flags;
    int64_t delay_ms;
} disturbances[] = {
    {"{\"rules\":[{\"operation\":\"GetItem\",\"delay\":70000}]}", 0, 70000},
    {"{\"rules\":[{\"operation\":\"GetItem\",\"drop\":\"after\"}]}", MOCKDDB_DROPPED, 0},
    {"{\"rules\":[{\"operation\":\"GetItem\",\"cut\":5}]}", MOCKDDB_CUT, 0},
    {"{\"rules\":[{\"operation\":\"GetItem\",\"wrong_crc\":true}]}", MOCKDDB_WRONG_CRC, 0},
};

START_TEST(faults_of_the_way_are_left_to_the_caller)
{
    make_thing(NULL);
    ck_assert_msg(library_verb(db, NULL, "POST", "faults", disturbances[_i].rule, &reply) == 200,
                  "%.*s", (int)reply.body_len, reply.body);
    ck_assert_int_eq(library_call(db, NULL, "GetItem", LIBRARY_GET, &reply), 200);
    ck_assert_uint_eq(reply.flags, disturbances[_i].flags);
    ck_assert_int_eq(reply.delay_ms, disturbances[_i].delay_ms);
    if (reply.flags & MOCKDDB_CUT)
        ck_assert_uint_eq(reply.body_len, 5);
}
END_TEST

/* --- verbs ------------------------------------------------------------------------------------ */

START_TEST(verbs_are_answered)
{
    make_thing("one");
    ck_assert_int_eq(library_verb(db, NULL, "GET", "worlds", NULL, &reply), 200);
    ck_assert(library_has(&reply, "\"name\":\"one\""));
    ck_assert_str_eq(reply.content_type, "application/json");
    ck_assert_int_eq(library_verb(db, "one", "GET", "journal?limit=1", NULL, &reply), 200);
    ck_assert(library_has(&reply, "PutItem") && !library_has(&reply, "CreateTable"));
    ck_assert_str_eq(reply.content_type, "application/x-ndjson");
    ck_assert_int_eq(library_verb(db, NULL, "GET", "wolds", NULL, &reply), 404);
    ck_assert_int_eq(library_verb(db, NULL, "PUT", "worlds", NULL, &reply), 405);
    ck_assert_int_eq(library_verb(db, "one", "POST", "clock", "{\"advance\":\"36h\"}", &reply),
                     200);
    ck_assert_int_eq(library_verb(db, NULL, "DELETE", "worlds/one", NULL, &reply), 200);
    ck_assert(!has_thing("one"));
}
END_TEST

START_TEST(snapshots_and_forks_are_copies)
{
    make_thing(NULL);
    ck_assert_int_eq(mockddb_snapshot(db, NULL, "filled", &reply), MOCKDDB_OK);
    ck_assert_int_eq(reply.status, 200);
    ck_assert_int_eq(mockddb_fork(db, NULL, "one", &reply), MOCKDDB_OK);
    ck_assert_int_eq(reply.status, 200);
    ck_assert_int_eq(mockddb_fork(db, "one", "two", &reply), MOCKDDB_OK);
    ck_assert_int_eq(library_call(db, NULL, "DeleteTable", "{\"TableName\":\"Things\"}", &reply),
                     200);
    ck_assert(!has_thing(NULL) && has_thing("one") && has_thing("two"));
    ck_assert_int_eq(library_verb(db, NULL, "POST", "snapshots/filled/restore", NULL, &reply), 200);
    ck_assert(has_thing(NULL));
    ck_assert_int_eq(mockddb_fork(db, NULL, "one", &reply), MOCKDDB_OK);
    ck_assert_int_eq(reply.status, 409);
    ck_assert_int_eq(mockddb_fork(db, "none", "three", &reply), MOCKDDB_OK);
    ck_assert_int_eq(reply.status, 404);
    /* A name must not become another path. */
    ck_assert_int_eq(mockddb_snapshot(db, NULL, "filled/restore", &reply), MOCKDDB_INVALID);
    ck_assert_int_eq(mockddb_fork(db, "\"", "four", &reply), MOCKDDB_INVALID);
    ck_assert_int_eq(mockddb_fork(db, NULL, NULL, &reply), MOCKDDB_INVALID);
}
END_TEST

START_TEST(files_of_snapshots_go_from_handle_to_handle)
{
    struct mockddb *from = db;
    char *file;
    size_t len;

    make_thing(NULL);
    ck_assert_int_eq(mockddb_snapshot(db, NULL, "filled", &reply), MOCKDDB_OK);
    ck_assert_int_eq(library_verb(db, NULL, "GET", "snapshots/filled/file", NULL, &reply), 200);
    ck_assert_str_eq(reply.content_type, "application/octet-stream");
    len = reply.body_len;
    ck_assert_ptr_nonnull(file = malloc(len));
    memcpy(file, reply.body, len);
    ck_assert_int_eq(mockddb_open(NULL, &db), MOCKDDB_OK);
    reply.size = sizeof reply;
    ck_assert_int_eq(mockddb_verb(db, NULL, "PUT", "snapshots/filled/file", file, len, &reply),
                     MOCKDDB_OK);
    ck_assert_msg(reply.status == 200, "%.*s", (int)reply.body_len, reply.body);
    ck_assert_int_eq(library_verb(db, NULL, "POST", "snapshots/filled/restore", NULL, &reply), 200);
    ck_assert(has_thing(NULL));
    mockddb_close(db);
    free(file);
    db = from;
}
END_TEST

START_TEST(files_of_items_are_imported)
{
    static const char items[] = "{\"pk\":\"a\",\"v\":1}\n{\"pk\":\"b\",\"v\":2}\n";

    make_thing(NULL);
    ck_assert_int_eq(library_verb(db, NULL, "POST", "import?table=Things", items, &reply), 200);
    ck_assert_int_eq(library_call(db, NULL, "Scan", "{\"TableName\":\"Things\"}", &reply), 200);
    ck_assert(library_has(&reply, "\"Count\":2"));
}
END_TEST

/* --- work between requests -------------------------------------------------------------------- */

#define FROZEN "--clock", "2026-01-01T00:00:00Z,frozen"
#define ADD_TTL                                                                       \
    "{\"TableName\":\"Things\",\"TimeToLiveSpecification\":{\"AttributeName\":\"v\"," \
    "\"Enabled\":true}}"

/* The item's time to live is long over; its deletion is the work of a job. */
static void make_expiring_thing(void)
{
    make_thing(NULL);
    ck_assert_int_eq(library_call(db, NULL, "UpdateTimeToLive", ADD_TTL, &reply), 200);
    ck_assert_int_eq(library_call(db, NULL, "PutItem",
                                  "{\"TableName\":\"Things\",\"Item\":{\"pk\":{\"S\":\"a\"},\"v\":{"
                                  "\"N\":\"1767225600\"}}}",
                                  &reply),
                     200);
    ck_assert_int_eq(
        library_verb(db, NULL, "POST", "clock", "{\"set\":\"2026-01-02T00:00:00Z\"}", &reply), 200);
}

static bool is_expired(void)
{
    ck_assert_int_eq(library_call(db, NULL, "GetItem", LIBRARY_GET, &reply), 200);
    return !library_has(&reply, "Item");
}

START_TEST(jobs_run_with_calls)
{
    ck_assert_int_eq(library_open(WORDS(FROZEN), 0, &db), MOCKDDB_OK);
    make_expiring_thing();
    for (int i = 0; !is_expired(); i++)
        ck_assert_int_lt(i, 100);
    mockddb_close(db);
}
END_TEST

START_TEST(jobs_run_apart)
{
    int64_t next_ms;

    ck_assert_int_eq(library_open(WORDS(FROZEN), MOCKDDB_JOBS_APART, &db), MOCKDDB_OK);
    make_expiring_thing();
    for (int i = 0; i < 100; i++)
        ck_assert(!is_expired());
    ck_assert_int_eq(mockddb_advance(db, 0, &next_ms), MOCKDDB_OK);
    ck_assert_int_eq(next_ms, -1);
    ck_assert(is_expired());
    ck_assert_int_eq(mockddb_advance(db, 1, NULL), MOCKDDB_OK);
    ck_assert_int_eq(mockddb_advance(db, -1, NULL), MOCKDDB_INVALID);
    mockddb_close(db);
}
END_TEST

START_TEST(it_says_when_work_will_be_due)
{
    int64_t next_ms;

    ck_assert_int_eq(library_open(WORDS("--transition-ms", "30000"), 0, &db), MOCKDDB_OK);
    ck_assert_int_eq(library_call(db, NULL, "CreateTable", LIBRARY_TABLE, &reply), 200);
    ck_assert_int_eq(mockddb_advance(db, 0, &next_ms), MOCKDDB_OK);
    ck_assert_int_gt(next_ms, 0);
    ck_assert_int_le(next_ms, 30001);
    mockddb_close(db);
}
END_TEST

/* --- files ------------------------------------------------------------------------------------ */

START_TEST(files_outlive_the_handle)
{
    const char *const *words = WORDS("--db", in_folder("kept.db"));

    ck_assert_int_eq(library_open(words, 0, &db), MOCKDDB_OK);
    make_thing(NULL);
    mockddb_close(db);
    ck_assert_int_eq(library_open(words, 0, &db), MOCKDDB_OK);
    ck_assert(has_thing(NULL));
    mockddb_close(db);
}
END_TEST

/* Whether this process has a lock on the file; only another process can ask that. */
static bool is_locked(const char *name)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int status = 0, file;
    pid_t child = fork();

    if (!child) {
        file = open(name, O_RDONLY);
        _exit(file < 0 || fcntl(file, F_GETLK, &lock) || lock.l_type == F_UNLCK);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The second name is one of DynamoDB Local, whose files are looked at before they are opened. */
static const char *const owned[] = {"owned.db", "owned_us-east-1.db"};

START_TEST(a_file_belongs_to_one_handle)
{
    const char *const *words = WORDS("--db", in_folder(owned[_i]));
    struct mockddb *other;

    ck_assert_int_eq(library_open(words, 0, &db), MOCKDDB_OK);
    make_thing(NULL);
    ck_assert_int_eq(library_open(words, 0, &other), MOCKDDB_FAILED);
    ck_assert_ptr_nonnull(strstr(mockddb_problem(other), "is in use"));
    mockddb_close(other);
    ck_assert(is_locked(words[1]));
    ck_assert(has_thing(NULL));
    ck_assert_int_eq(library_open(words, 0, &other), MOCKDDB_FAILED);
    mockddb_close(other);
    mockddb_close(db);
    ck_assert_int_eq(library_open(words, 0, &db), MOCKDDB_OK);
    ck_assert(has_thing(NULL));
    mockddb_close(db);
}
END_TEST

/* Opens a file that cannot be written twice, and closes the first handle; in a process that may
 * have lost root's rights. Returns what went wrong, or 0. */
static int read_twice(const char *const *words)
{
    struct mockddb *other;

    if (!getuid() && (setgid(NOBODY) || setuid(NOBODY)))
        return 1;
    if (library_open(words, 0, &other) || library_open(words, 0, &db))
        return 2;
    mockddb_close(other);
    if (!is_locked(words[1]) || !has_thing(NULL))
        return 3;
    mockddb_close(db);
    return is_locked(words[1]) ? 4 : 0;
}

START_TEST(a_file_that_is_read_stays_locked)
{
    const char *const *words = WORDS("--db", in_folder("shared.db"), "--read-only");
    int status;
    pid_t child;

    ck_assert_int_eq(library_open(WORDS("--db", path), 0, &db), MOCKDDB_OK);
    make_thing(NULL);
    mockddb_close(db);
    ck_assert_int_eq(chmod(path, 0444), 0);
    ck_assert_int_eq(chmod(folder, 0555), 0);
    if (!(child = fork()))
        _exit(read_twice(words));
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(chmod(folder, 0755), 0);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 0);
}
END_TEST

START_TEST(worlds_are_kept_in_a_folder)
{
    const char *const *words = WORDS("--data-dir", in_folder("worlds"));

    ck_assert_int_eq(library_open(words, 0, &db), MOCKDDB_OK);
    make_thing("one");
    ck_assert_int_eq(mockddb_snapshot(db, "one", "filled", &reply), MOCKDDB_OK);
    ck_assert_int_eq(reply.status, 200);
    ck_assert_int_eq(mockddb_fork(db, "one", "two", &reply), MOCKDDB_OK);
    ck_assert_int_eq(reply.status, 200);
    mockddb_close(db);
    ck_assert_int_eq(library_open(words, 0, &db), MOCKDDB_OK);
    ck_assert(has_thing("two") && has_thing("one"));
    ck_assert_int_eq(library_verb(db, "one", "GET", "snapshots/filled", NULL, &reply), 200);
    mockddb_close(db);
}
END_TEST

START_TEST(other_files_are_refused)
{
    FILE *file = fopen(in_folder("other.db"), "w");

    ck_assert_ptr_nonnull(file);
    (void)fprintf(file, "%01024d", 1);
    (void)fclose(file);
    ck_assert_int_eq(library_open(WORDS("--db", path), 0, &db), MOCKDDB_FAILED);
    ck_assert_ptr_nonnull(strstr(mockddb_problem(db), "is not a mockddb file"));
    mockddb_close(db);
}
END_TEST

/* --- the process ------------------------------------------------------------------------------ */

static int lines, again;

/* While a function of the handle runs, it is not to be used. */
static void take_line(void *context, const char *line)
{
    struct mockddb_reply other;

    ck_assert_ptr_eq(context, &lines);
    ck_assert_ptr_null(strchr(line, '\n'));
    lines++;
    if (db)
        again = library_call(db, NULL, "ListTables", "{}", &other);
}

/* A query that one of the fixture's access patterns is near to is logged. */
static void be_noticed(void)
{
    (void)library_call(db, NULL, "Scan", "{\"TableName\":\"EcomIndexSettingsTable\"}", &reply);
}

#define IMPORT                                                                                 \
    "{\"ClientToken\":\"1\",\"S3BucketSource\":{\"S3Bucket\":\"no\"},\"InputFormat\":\"CSV\"," \
    "\"TableCreationParameters\":{\"TableName\":\"Things\",\"BillingMode\":"                   \
    "\"PAY_PER_REQUEST\",\"KeySchema\":[{\"AttributeName\":\"pk\",\"KeyType\":\"HASH\"}],"     \
    "\"AttributeDefinitions\":[{\"AttributeName\":\"pk\",\"AttributeType\":\"S\"}]}}"

/* An import logs where the buckets are. */
START_TEST(lines_go_to_the_log_function)
{
    const struct mockddb_options options = {
        .size = sizeof options, .log = take_line, .log_context = &lines};

    lines = again = 0;
    db = NULL;
    ck_assert_int_eq(mockddb_open(&options, &db), MOCKDDB_OK);
    (void)library_call(db, NULL, "ImportTable", IMPORT, &reply);
    ck_assert_int_eq(mockddb_advance(db, 0, NULL), MOCKDDB_OK);
    ck_assert_int_ge(lines, 1);
    ck_assert_int_eq(again, -MOCKDDB_BUSY);
    ck_assert_int_eq(library_call(db, NULL, "ListTables", "{}", &reply), 200);
    mockddb_close(db);
}
END_TEST

/* What the process has written to its standard output and error since `text` was opened there. */
START_TEST(nothing_is_printed)
{
    int file = open(in_folder("printed"), O_RDWR | O_CREAT | O_TRUNC, 0600), out = dup(1),
        err = dup(2);
    off_t printed;

    ck_assert_int_ge(file, 0);
    (void)dup2(file, 1);
    (void)dup2(file, 2);
    (void)library_open(WORDS("--world-template", "missing", "--fixtures", "fixtures/ecommerce"), 0,
                       &db);
    be_noticed();
    mockddb_close(db);
    (void)library_open(WORDS("--db", "/nowhere/x.db"), 0, &db);
    mockddb_close(db);
    printed = lseek(file, 0, SEEK_END);
    (void)dup2(out, 1);
    (void)dup2(err, 2);
    (void)close(out);
    (void)close(err);
    (void)close(file);
    ck_assert_int_eq(printed, 0);
}
END_TEST

START_TEST(a_child_process_does_not_use_it)
{
    pid_t child;
    int status;

    ck_assert_int_eq(library_open(WORDS("--db", in_folder("forked.db")), 0, &db), MOCKDDB_OK);
    make_thing(NULL);
    if (!(child = fork())) {
        struct mockddb *own;
        bool well = library_call(db, NULL, "GetItem", LIBRARY_GET, &reply) == -MOCKDDB_FORKED &&
                    mockddb_advance(db, 0, NULL) == MOCKDDB_FORKED && *mockddb_problem(db);

        mockddb_close(db);
        well = well && mockddb_open(NULL, &own) == MOCKDDB_OK &&
               library_call(own, NULL, "ListTables", "{}", &reply) == 200;
        mockddb_close(own);
        _exit(well ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert(has_thing(NULL));
    mockddb_close(db);
}
END_TEST

/* SQLite's statistics stay on: the library has not changed its settings. */
START_TEST(sqlite_stays_as_it_is)
{
    sqlite3 *own;

    ck_assert_int_eq(library_open(WORDS("--db", in_folder("beside.db")), 0, &db), MOCKDDB_OK);
    make_thing(NULL);
    ck_assert_int_eq(sqlite3_open(":memory:", &own), SQLITE_OK);
    ck_assert_int_gt(sqlite3_memory_used(), 0);
    (void)sqlite3_close(own);
    mockddb_close(db);
}
END_TEST

/* --- all of them ------------------------------------------------------------------------------ */

static void add_tests(Suite *suite)
{
    TCase *bare = tcase_create("bare"), *open = tcase_create("open");

    tcase_set_timeout(bare, 600); /* a net: no test depends on speed */
    tcase_set_timeout(open, 600);
    tcase_add_checked_fixture(open, set_up, tear_down);
    tcase_add_test(bare, it_says_its_version);
    tcase_add_loop_test(bare, wrong_options_are_refused, 0, COUNT(refused));
    tcase_add_test(bare, wrong_structs_are_refused);
    tcase_add_test(bare, a_newer_caller_is_served);
    tcase_add_test(open, requests_are_answered);
    tcase_add_test(open, the_endpoint_is_the_host);
    tcase_add_test(open, bodies_have_a_length);
    tcase_add_test(open, wrong_requests_change_nothing);
    tcase_add_test(open, worlds_are_apart);
    tcase_add_test(bare, regions_are_apart);
    tcase_add_test(open, explanations_are_kept);
    tcase_add_loop_test(open, faults_of_the_way_are_left_to_the_caller, 0, COUNT(disturbances));
    tcase_add_test(open, verbs_are_answered);
    tcase_add_test(open, snapshots_and_forks_are_copies);
    tcase_add_test(open, files_of_snapshots_go_from_handle_to_handle);
    tcase_add_test(open, files_of_items_are_imported);
    tcase_add_test(bare, jobs_run_with_calls);
    tcase_add_test(bare, jobs_run_apart);
    tcase_add_test(bare, it_says_when_work_will_be_due);
    tcase_add_test(bare, files_outlive_the_handle);
    tcase_add_loop_test(bare, a_file_belongs_to_one_handle, 0, COUNT(owned));
    tcase_add_test(bare, a_file_that_is_read_stays_locked);
    tcase_add_test(bare, worlds_are_kept_in_a_folder);
    tcase_add_test(bare, other_files_are_refused);
    tcase_add_test(bare, lines_go_to_the_log_function);
    tcase_add_test(bare, nothing_is_printed);
    tcase_add_test(bare, a_child_process_does_not_use_it);
    tcase_add_test(bare, sqlite_stays_as_it_is);
    suite_add_tcase(suite, bare);
    suite_add_tcase(suite, open);
}

static void remove_folder(const char *name)
{
    char inner[512];
    DIR *entries = opendir(name);
    const struct dirent *entry;

    while (entries && (entry = readdir(entries))) {
        if (entry->d_name[0] == '.')
            continue;
        (void)snprintf(inner, sizeof inner, "%s/%s", name, entry->d_name);
        if (unlink(inner))
            remove_folder(inner);
    }
    if (entries)
        (void)closedir(entries);
    (void)rmdir(name);
}

int main(void)
{
    Suite *suite = suite_create("libmockddb");
    SRunner *runner;
    int failed;

    if (!mkdtemp(folder))
        return EXIT_FAILURE;
    add_tests(suite);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    remove_folder(folder);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
