/* What calls of libmockddb cost, through its header: medians of processor time.
 *
 *     bench_library            prints them
 *     bench_library --check    fails where a figure is beyond what docs/performance.md promises
 *
 * Needs fixtures/ecommerce in the current folder. */
#include "library/library.h"

#include <time.h>

#define RUNS  101
#define CALLS 2000 /* in a run of requests */
#define ITEMS 1000

static struct mockddb *db;
static struct mockddb_reply reply;
static int failed;

static double cpu_us(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void must(int status, int wanted)
{
    if (status == wanted)
        return;
    (void)fprintf(stderr, "bench_library: %d, not %d: %s\n", status, wanted, mockddb_problem(db));
    exit(EXIT_FAILURE);
}

/* Each run returns what it took, in microseconds. */
static void report(const char *what, double (*run)(void), double most)
{
    double took[RUNS];

    (void)run();
    for (int i = 0; i < RUNS; i++)
        took[i] = run();
    qsort(took, RUNS, sizeof *took, by_size);
    printf("%-46s %9.2f us (at most %g)\n", what, took[RUNS / 2], most);
    failed |= took[RUNS / 2] > most;
}

static void put(int number)
{
    static char body[2048];

    (void)snprintf(
        body, sizeof body,
        "{\"TableName\":\"Things\",\"Item\":{\"pk\":{\"S\":\"%08d\"},\"v\":{\"S\":\"%0960d\"}}}",
        number, number);
    must(library_call(db, NULL, "PutItem", body, &reply), 200);
}

static double get_items(void)
{
    static const char body[] = "{\"TableName\":\"Things\",\"Key\":{\"pk\":{\"S\":\"00000500\"}}}";
    const struct mockddb_request request = {.size = sizeof request,
                                            .target = "DynamoDB_20120810.GetItem",
                                            .body = body,
                                            .body_len = sizeof body - 1};
    double began = cpu_us();

    for (int i = 0; i < CALLS; i++) {
        must(mockddb_call(db, &request, &reply), MOCKDDB_OK);
        must(reply.status, 200);
    }
    return (cpu_us() - began) / CALLS;
}

static double put_items(void)
{
    double began = cpu_us();

    for (int i = 0; i < CALLS; i++)
        put(i % ITEMS);
    return (cpu_us() - began) / CALLS;
}

static double open_empty(void)
{
    double began = cpu_us(), took;
    struct mockddb *opened;

    must(mockddb_open(NULL, &opened), MOCKDDB_OK);
    took = cpu_us() - began;
    mockddb_close(opened);
    return took;
}

static double open_and_close(void)
{
    double began = cpu_us();

    (void)open_empty();
    return cpu_us() - began;
}

static double fork_world(void)
{
    double began = cpu_us(), took;

    must(mockddb_fork(db, NULL, "fork", &reply), MOCKDDB_OK);
    must(reply.status, 200);
    took = cpu_us() - began;
    must(library_verb(db, NULL, "DELETE", "worlds/fork", NULL, &reply), 200);
    must(mockddb_advance(db, 0, NULL), MOCKDDB_OK);
    return took;
}

int main(int argc, char **argv)
{
    must(mockddb_open(NULL, &db), MOCKDDB_OK);
    must(library_call(db, NULL, "CreateTable", LIBRARY_TABLE, &reply), 200);
    for (int i = 0; i < ITEMS; i++)
        put(i);
    report("GetItem 1 KB by mockddb_call", get_items, 5);
    report("PutItem 1 KB by mockddb_call", put_items, 15);
    mockddb_close(db);
    report("an empty handle, opened", open_empty, 300);
    report("an empty handle, opened and closed", open_and_close, 300);
    must(library_open(WORDS("--fixtures", "fixtures/ecommerce"), 0, &db), MOCKDDB_OK);
    report("a fork of the e-commerce fixture", fork_world, 500);
    mockddb_close(db);
    return argc > 1 && strcmp(argv[1], "--check") == 0 ? failed : EXIT_SUCCESS;
}
