/* memory.c: memory runs out at each allocation in turn, while a handle of libmockddb is opened and
 * used. The process stays, the handle is lost, and others work.
 *
 * Needs the system's malloc, so it is built without sanitizers, in the release build. Its argument,
 * which may be missing, is the beginning of paths for files. */
#include "library/library.h"

#include <unistd.h>

/* glibc's own, which a program's malloc may call. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);

static long left = -1; /* allocations that succeed; -1: all */

static bool refuses(void)
{
    if (left > 0)
        left--;
    return left == 0;
}

void *malloc(size_t size)
{
    return refuses() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return refuses() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    return refuses() ? NULL : __libc_realloc(block, size);
}

/* Uses a handle; returns the first result that is not MOCKDDB_OK. */
static int use(struct mockddb *db)
{
    static const char *const requests[][2] = {
        {"CreateTable", LIBRARY_TABLE}, {"PutItem", LIBRARY_PUT}, {"GetItem", LIBRARY_GET}};
    struct mockddb_reply reply;
    int result;

    for (size_t i = 0; i < COUNT(requests); i++)
        if ((result = library_call(db, NULL, requests[i][0], requests[i][1], &reply)) < 0)
            return -result;
    if ((result = mockddb_snapshot(db, NULL, "s", &reply)) ||
        (result = mockddb_fork(db, NULL, "w", &reply)) ||
        (result = mockddb_verb(db, NULL, "GET", "journal", NULL, 0, &reply)))
        return result;
    return mockddb_advance(db, 0, NULL);
}

static int fail(const char *what, long number, const struct mockddb *db)
{
    left = -1;
    (void)fprintf(stderr, "memory: without allocation %ld: %s: %s\n", number, what,
                  mockddb_problem(db));
    return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    char file[512];
    const char *words[] = {"--db", file, NULL};
    struct mockddb_reply reply;
    struct mockddb *db;
    long number = 1, lost = 0;
    bool refused = true;

    for (; refused; number++) {
        int result;

        /* A lost handle keeps its file. */
        (void)snprintf(file, sizeof file, "%s-%ld", argc > 1 ? argv[1] : "", number);
        left = number;
        result = library_open(argc > 1 ? words : NULL, 0, &db);
        if (db && !result)
            result = use(db);
        refused = left == 0;
        left = -1;
        if (db && result && result != MOCKDDB_LOST)
            return fail("another result", number, db);
        if (db && result && library_call(db, NULL, "ListTables", "{}", &reply) != -MOCKDDB_LOST)
            return fail("it is used again", number, db);
        lost += result == MOCKDDB_LOST;
        mockddb_close(db);
        if (argc > 1)
            (void)unlink(file);
    }
    if (mockddb_open(NULL, &db) || use(db))
        return fail("a handle after all of them", number, db);
    mockddb_close(db);
    printf("%ld allocations, %ld handles lost\n", number, lost);
    return lost ? EXIT_SUCCESS : EXIT_FAILURE;
}
