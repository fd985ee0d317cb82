#include "support/troubles.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/database.h"

#define ANY_CALL                                                                        \
    (FAULT_OPEN | FAULT_READ | FAULT_WRITE | FAULT_SYNC | FAULT_TRUNCATE | FAULT_LOCK | \
     FAULT_DELETE)

const struct trouble troubles[] = {
    {"an I/O error", TROUBLE_IN_FILES, {ANY_CALL, SQLITE_IOERR, false}},
    {"a broken disk", TROUBLE_IN_FILES, {ANY_CALL, SQLITE_IOERR, true}},
    {"a full disk", TROUBLE_IN_FILES, {FAULT_WRITE | FAULT_TRUNCATE, SQLITE_FULL, true}},
    {"a busy file", TROUBLE_IN_FILES, {ANY_CALL, SQLITE_BUSY, false}},
    {"an interrupted statement", TROUBLE_IN_STATEMENTS, {0, 0, false}},
    {"a statement that cannot be prepared", TROUBLE_IN_PREPARATION, {0, 0, false}},
    {"a refused commit", TROUBLE_IN_COMMITS, {0, 0, false}},
    {"a full database", TROUBLE_IN_PAGES, {0, 0, false}},
    {NULL, TROUBLE_IN_FILES, {0, 0, false}},
};

static unsigned chances, hits;
static char last[80] = "nothing";

static bool is_now(void)
{
    if (hits || --chances)
        return false;
    hits++;
    return true;
}

/* SQLite asks within a statement, and once more after its end, when it is too late. */
static int interrupt(void *handle)
{
    sqlite3_stmt *s = sqlite3_next_stmt(handle, NULL);

    while (s && !sqlite3_stmt_busy(s))
        s = sqlite3_next_stmt(handle, s);
    return s && is_now();
}

/* SQLite asks for each table and column of a statement that it prepares. */
static int refuse_access(void *unused, int action, const char *a, const char *b, const char *c,
                         const char *d)
{
    (void)unused, (void)action, (void)a, (void)b, (void)c, (void)d;
    return is_now() ? SQLITE_DENY : SQLITE_OK;
}

static int refuse_commit(void *unused)
{
    (void)unused;
    return is_now();
}

static void limit_pages(sqlite3 *handle, int pages)
{
    char text[64];

    (void)snprintf(text, sizeof text, "PRAGMA max_page_count = %d", pages);
    (void)sqlite3_exec(handle, text, NULL, NULL, NULL);
}

static int page_count(sqlite3 *handle)
{
    sqlite3_stmt *row;
    int pages = 0;

    if (sqlite3_prepare_v2(handle, "PRAGMA page_count", -1, &row, NULL) == SQLITE_OK &&
        sqlite3_step(row) == SQLITE_ROW)
        pages = sqlite3_column_int(row, 0);
    sqlite3_finalize(row);
    return pages;
}

void trouble_arm(const struct trouble *t, unsigned nth)
{
    sqlite3 *handle = database_newest();

    (void)snprintf(last, sizeof last, "%s, %u", t->name, nth);
    chances = nth;
    hits = 0;
    if (t->kind == TROUBLE_IN_FILES)
        fault_arm(&t->fault, nth);
    if (t->kind == TROUBLE_IN_STATEMENTS)
        sqlite3_progress_handler(handle, 1, interrupt, handle);
    if (t->kind == TROUBLE_IN_PREPARATION)
        sqlite3_set_authorizer(handle, refuse_access, NULL);
    if (t->kind == TROUBLE_IN_COMMITS)
        sqlite3_commit_hook(handle, refuse_commit, NULL);
    if (t->kind == TROUBLE_IN_PAGES)
        limit_pages(handle, page_count(handle) + (int)nth - 1);
}

unsigned trouble_lift(const struct trouble *t)
{
    sqlite3 *handle = database_newest();

    if (t->kind == TROUBLE_IN_FILES)
        return fault_lift();
    sqlite3_progress_handler(handle, 0, NULL, NULL);
    sqlite3_set_authorizer(handle, NULL, NULL);
    sqlite3_commit_hook(handle, NULL, NULL);
    if (t->kind == TROUBLE_IN_PAGES)
        limit_pages(handle, 1000000000);
    return hits;
}

/* MOCKDDB_SLOWNESS: scripts/memcheck, where everything takes so much longer. */
unsigned trouble_next(unsigned nth)
{
    const char *slowness = getenv("MOCKDDB_SLOWNESS");

    return slowness && strtol(slowness, NULL, 10) > 1 ? nth * 4 : nth + 1 + nth / 2;
}

const char *trouble_last(void)
{
    return last;
}
