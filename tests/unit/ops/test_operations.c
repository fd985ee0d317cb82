/* Everything that lists operations has all of them: a new one is nowhere forgotten in silence. What
 * a new operation needs, step by step: CONTRIBUTING.md. */
#include "unit.h"

#include <ctype.h>
#include <dirent.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/file.h"
#include "ops/op.h"

#define ROOT TEST_DATA_DIR "/.."
#define OPS  ROOT "/mockddb/ops"

static const enum op_service services[] = {OP_DYNAMODB, OP_STREAMS, OP_MONITORING, OP_SCALING,
                                           OP_TAGGING,  OP_KEYS,    OP_IDENTITY};
_Static_assert(COUNT(services) == OP_SERVICE_COUNT, "a service is not listed");

/* --- files ------------------------------------------------------------------------------------ */

static bool ends_in(const char *name, const char *ending)
{
    size_t len = strlen(name), tail = strlen(ending);

    return len > tail && strcmp(name + len - tail, ending) == 0;
}

/* Calls `visit` with each file of that ending in the folder and below it. */
static void walk(const char *folder, const char *ending, void (*visit)(const char *, void *),
                 void *with)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;

    ck_assert_msg(dir != NULL, "no folder %s", folder);
    while ((entry = readdir(dir))) {
        const char *path = arena_printf(arena, "%s/%s", folder, entry->d_name);
        struct stat found;

        if (entry->d_name[0] == '.' || stat(path, &found))
            continue;
        if (S_ISDIR(found.st_mode))
            walk(path, ending, visit, with);
        else if (ends_in(path, ending))
            visit(path, with);
    }
    closedir(dir);
}

static void add_text(const char *path, void *out)
{
    struct span text;

    ck_assert_msg(file_read(arena, path, &text), "cannot read %s", path);
    buf_add_span(out, text);
}

/* --- names ------------------------------------------------------------------------------------ */

/* Whether the text has the name as a word. */
static bool has_word(const char *text, const char *name)
{
    size_t len = strlen(name);

    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name))
        if ((at == text || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)at[len]))
            return true;
    return false;
}

/* op_describe_table.c → DescribeTable */
static const char *operation_of(const char *path)
{
    struct buf name = buf_in(arena);
    bool upper = true;

    for (const char *c = strrchr(path, '/') + strlen("/op_"); *c != '.'; c++) {
        if (*c != '_')
            buf_add_char(&name, upper ? (char)toupper((unsigned char)*c) : *c);
        upper = *c == '_';
    }
    return buf_text(&name);
}

/* --- the lists -------------------------------------------------------------------------------- */

static bool is_any(const struct op *op)
{
    return op != NULL;
}

/* Not one of the services beside it. */
static bool is_own(const struct op *op)
{
    return op->service <= OP_STREAMS;
}

/* Not about a global table: the tests that send every operation have none. Those operations are in
 * tests/golden/global_tables and tests/e2e/test_global_tables.py. */
static bool is_of_one_region(const struct op *op)
{
    return is_own(op) && !strstr(op->name, "ReplicaAutoScaling") &&
           (!strstr(op->name, "GlobalTable") || strcmp(op->name, "ListGlobalTables") == 0);
}

static const struct {
    const char *path, *ending; /* from the repository's root; a folder where there is an ending */
    bool (*wants)(const struct op *op);
} lists[] = {
    {"docs/compatibility.md", NULL, is_any},
    {"tests/golden", ".json", is_any},
    {"tests/unit/trouble/test_faults.c", NULL, is_of_one_region},
    {"tests/e2e/test_doors.py", NULL, is_own},
    {"tests/e2e/test_memory.py", NULL, is_of_one_region},
    {"tests/e2e/test_model_answers.py", NULL, is_own},
    {"tests/e2e/test_socket_faults.py", NULL, is_of_one_region},
};

START_TEST(a_list_of_operations_has_all_of_them)
{
    const char *path = arena_printf(arena, ROOT "/%s", lists[_i].path);
    struct buf text = buf_in(arena), missing = buf_in(arena);

    if (lists[_i].ending)
        walk(path, lists[_i].ending, add_text, &text);
    else
        add_text(path, &text);
    for (size_t s = 0; s < COUNT(services); s++)
        for (size_t i = 0; op_at(services[s], i); i++) {
            const struct op *op = op_at(services[s], i);

            if (lists[_i].wants(op) && !has_word(buf_text(&text), op->name))
                buf_printf(&missing, " %s", op->name);
        }
    ck_assert_msg(!missing.len, "%s lacks%s", lists[_i].path, buf_text(&missing));
}
END_TEST

/* --- the table -------------------------------------------------------------------------------- */

START_TEST(rows_are_sorted_and_found)
{
    const struct op *op, *before = NULL;

    for (size_t i = 0; (op = op_at(services[_i], i)); before = op, i++) {
        ck_assert_msg(!before || strcmp(before->name, op->name) < 0,
                      "%s stands before %s in op_table.c", before ? before->name : "", op->name);
        ck_assert_msg(op->service == services[_i], "%s is in the other list of op_table.c",
                      op->name);
    }
    for (size_t i = 0; (op = op_at(services[_i], i)); i++)
        ck_assert_ptr_eq(op_find(services[_i], span_of(op->name)), op);
}
END_TEST

static bool has_row(const char *name)
{
    for (size_t s = 0; s < COUNT(services); s++)
        for (size_t i = 0; op_at(services[s], i); i++)
            if (strcmp(op_at(services[s], i)->name, name) == 0)
                return true;
    return false;
}

/* How many operations the file defines. */
static size_t count_operations(const char *path)
{
    static const char definition[] = "\nconst struct op op_";
    struct buf text = buf_in(arena);
    size_t count = 0;

    add_text(path, &text);
    for (const char *at = buf_text(&text); (at = strstr(at, definition)); at++)
        count++;
    return count;
}

/* A file with one operation has its name; a family of tiny ones may be one file. */
static void check_file(const char *path, void *count)
{
    const char *in_ops = path + strlen(OPS "/"), *name;
    size_t operations;

    if (!strchr(in_ops, '/') || strncmp(strrchr(path, '/'), "/op_", 4) != 0)
        return; /* what lies in ops/ itself is shared */
    name = operation_of(path);
    operations = count_operations(path);
    ck_assert_msg(operations > 1 || has_row(name), "%s: %s has no row in op_table.c", path, name);
    *(size_t *)count += operations;
}

START_TEST(each_operation_has_a_row)
{
    size_t defined = 0, rows = 0;

    for (size_t s = 0; s < COUNT(services); s++)
        for (size_t i = 0; op_at(services[s], i); i++)
            rows++;
    walk(OPS, ".c", check_file, &defined);
    ck_assert_uint_eq(defined, rows);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, a_list_of_operations_has_all_of_them, 0, COUNT(lists));
    tcase_add_loop_test(tc, rows_are_sorted_and_found, 0, COUNT(services));
    tcase_add_test(tc, each_operation_has_a_row);
}

UNIT_TESTS(operations, add_tests)
