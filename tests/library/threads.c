/* threads.c: eight handles of libmockddb in eight threads with small stacks: in memory, in a file
 * and in a folder. After each round, the handles go to the next thread.
 *
 * threads [ROUNDS]; needs fixtures/ecommerce in the current folder. library/races runs it with
 * ThreadSanitizer. */
#include "library.h"

#include <dirent.h>
#include <limits.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#define HANDLES 8
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) /* whose frames are larger */
#define STACK ((size_t)4096 * 1024)
#else
#define STACK ((size_t)512 * 1024) /* docs/library.md */
#endif

static struct mockddb *handles[HANDLES];
static pthread_barrier_t all_here;
static long rounds = 5;
static char folder[] = "/tmp/mockddb-threads-XXXXXX";

static void must(struct mockddb *db, int status, int wanted, const char *what,
                 const struct mockddb_reply *reply)
{
    if (status == wanted)
        return;
    (void)fprintf(stderr, "threads: %s: %d, not %d: %s %.*s\n", what, status, wanted,
                  mockddb_problem(db), status > 0 ? (int)reply->body_len : 0, reply->body);
    exit(EXIT_FAILURE);
}

static void open_one(int n)
{
    char file[256], where[256];
    const char *words[] = {"--db", file, "--s3-root", where, NULL};
    int result;

    (void)snprintf(file, sizeof file, "%s/%d", folder, n);
    (void)snprintf(where, sizeof where, "%s/s3-%d", folder, n);
    (void)mkdir(where, 0700);
    switch (n % 4) {
    case 0:
        result = mockddb_open(NULL, &handles[n]);
        break;
    case 1:
        result = library_open(words, 0, &handles[n]);
        break;
    case 2:
        words[0] = "--data-dir";
        result = library_open(words, 0, &handles[n]);
        break;
    default:
        result = library_open(WORDS("--fixtures", "fixtures/ecommerce"), MOCKDDB_JOBS_APART,
                              &handles[n]);
    }
    must(handles[n], result, MOCKDDB_OK, "mockddb_open", NULL);
}

#define ALL_ATTRIBUTES 200

/* An item with many attributes, some of them nested as deep as they may be. */
static const char *large_item(char *body, size_t room, int i)
{
    size_t len = (size_t)snprintf(body, room,
                                  "{\"TableName\":\"Things\",\"Item\":{\"pk\":{\"S\":\"%d\"}", i);

    for (int n = 0; n < ALL_ATTRIBUTES; n++)
        len += (size_t)snprintf(body + len, room - len, ",\"a%d\":{\"N\":\"%d\"}", n, i * n);
    len += (size_t)snprintf(body + len, room - len, ",\"deep\":");
    for (int n = 0; n < 31; n++)
        len += (size_t)snprintf(body + len, room - len, "{\"L\":[");
    len += (size_t)snprintf(body + len, room - len, "{\"NULL\":true}");
    for (int n = 0; n < 31; n++)
        len += (size_t)snprintf(body + len, room - len, "]}");
    (void)snprintf(body + len, room - len, "}}");
    return body;
}

#define DEEP 490 /* values within each other; a body may have a thousand containers */

/* A body that is nested as deep as one may be, with a wrong value in the middle. */
static const char *deep_item(char *body, size_t room)
{
    size_t len = (size_t)snprintf(body, room, "{\"TableName\":\"Things\",\"Item\":{\"pk\":");

    for (int n = 0; n < DEEP; n++)
        len += (size_t)snprintf(body + len, room - len, "{\"L\":[");
    len += (size_t)snprintf(body + len, room - len, "{\"S\":7}");
    for (int n = 0; n < DEEP; n++)
        len += (size_t)snprintf(body + len, room - len, "]}");
    (void)snprintf(body + len, room - len, "}}");
    return body;
}

static const struct {
    const char *operation, *body;
    int status;
} requests[] = {
    {"UpdateItem",
     "{\"TableName\":\"Things\",\"Key\":{\"pk\":{\"S\":\"1\"}},\"UpdateExpression\":\"SET v = "
     "if_not_exists(v, :z) + "
     ":o\",\"ExpressionAttributeValues\":{\":z\":{\"N\":\"0\"},\":o\":{\"N\":"
     "\"1\"}}}",
     200},
    {"Query",
     "{\"TableName\":\"Things\",\"KeyConditionExpression\":\"pk = :p\",\"FilterExpression\":"
     "\"v > :z OR (a1 = :z AND NOT (v < :z OR (attribute_exists(deep) AND size(deep) > :z)))\","
     "\"ExpressionAttributeValues\":{\":p\":{\"S\":\"1\"},\":z\":{\"N\":\"0\"}}}",
     200},
    {"Scan", "{\"TableName\":\"Things\"}", 200},
    {"ExecuteStatement", "{\"Statement\":\"SELECT * FROM Things WHERE pk = '1'\"}", 200},
    {"TransactWriteItems",
     "{\"TransactItems\":[{\"Put\":{\"TableName\":\"Things\",\"Item\":{\"pk\":{\"S\":\"t\"}}}},{"
     "\"ConditionCheck\":{\"TableName\":\"Things\",\"Key\":{\"pk\":{\"S\":\"1\"}},"
     "\"ConditionExpression\":\"attribute_exists(pk)\"}}]}",
     200},
    {"BatchGetItem", "{\"RequestItems\":{\"Things\":{\"Keys\":[{\"pk\":{\"S\":\"1\"}}]}}}", 200},
    {"PutItem", "{\"TableName\":\"Thinks\"}", 400},
    {"ListTables", "{", 400},
    {"DeleteTable", "{\"TableName\":\"Things\"}", 200},
};

static void work(struct mockddb *db)
{
    struct mockddb_reply reply;
    char body[16 * 1024];

    must(db, library_call(db, "w", "CreateTable", LIBRARY_TABLE, &reply), 200, "CreateTable",
         &reply);
    for (int i = 0; i < 100; i++)
        must(db, library_call(db, "w", "PutItem", large_item(body, sizeof body, i), &reply), 200,
             "PutItem", &reply);
    must(db, library_call(db, "w", "PutItem", deep_item(body, sizeof body), &reply), 400, "deep",
         &reply);
    must(db, mockddb_snapshot(db, "w", "s", &reply), MOCKDDB_OK, "mockddb_snapshot", &reply);
    must(db, mockddb_fork(db, "w", "v", &reply), MOCKDDB_OK, "mockddb_fork", &reply);
    must(db, reply.status, 200, "mockddb_fork", &reply);
    for (size_t i = 0; i < COUNT(requests); i++)
        must(db, library_call(db, "v", requests[i].operation, requests[i].body, &reply),
             requests[i].status, requests[i].operation, &reply);
    must(db,
         library_verb(db, "v", "POST", "try", "{\"operation\":\"Query\",\"request\":{}}", &reply),
         200, "try", &reply);
    must(db, library_verb(db, "w", "GET", "snapshots/s/file", NULL, &reply), 200, "file", &reply);
    must(db, library_verb(db, "w", "GET", "journal", NULL, &reply), 200, "journal", &reply);
    must(db, library_verb(db, "w", "POST", "clock", "{\"advance\":\"25h\"}", &reply), 200, "clock",
         &reply);
    must(db, mockddb_advance(db, 0, NULL), MOCKDDB_OK, "mockddb_advance", &reply);
    must(db, library_verb(db, NULL, "DELETE", "worlds/w", NULL, &reply), 200, "drop", &reply);
    must(db, library_verb(db, NULL, "DELETE", "worlds/v", NULL, &reply), 200, "drop", &reply);
}

static void *run(void *number)
{
    const int n = *(const int *)number;

    open_one(n);
    for (long i = 0; i < rounds; i++) {
        (void)pthread_barrier_wait(&all_here);
        work(handles[(n + i) % HANDLES]);
    }
    (void)pthread_barrier_wait(&all_here);
    mockddb_close(handles[(n + 1) % HANDLES]);
    return NULL;
}

static void remove_folder(const char *name)
{
    char inner[PATH_MAX];
    DIR *entries = opendir(name);
    const struct dirent *entry;

    while (entries && (entry = readdir(entries))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        (void)snprintf(inner, sizeof inner, "%s/%s", name, entry->d_name);
        if (unlink(inner))
            remove_folder(inner);
    }
    if (entries)
        (void)closedir(entries);
    (void)rmdir(name);
}

int main(int argc, char **argv)
{
    pthread_t threads[HANDLES];
    int numbers[HANDLES];
    pthread_attr_t small;

    if (argc > 1)
        rounds = strtol(argv[1], NULL, 10);
    if (!mkdtemp(folder) || pthread_barrier_init(&all_here, NULL, HANDLES) ||
        pthread_attr_init(&small) || pthread_attr_setstacksize(&small, STACK))
        return EXIT_FAILURE;
    for (int n = 0; n < HANDLES; n++) {
        numbers[n] = n;
        if (pthread_create(&threads[n], &small, run, &numbers[n]))
            return EXIT_FAILURE;
    }
    for (int n = 0; n < HANDLES; n++)
        (void)pthread_join(threads[n], NULL);
    remove_folder(folder);
    printf("%d handles in as many threads, %ld rounds\n", HANDLES, rounds);
    return EXIT_SUCCESS;
}
