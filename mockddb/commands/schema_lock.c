#include "commands/schema_lock.h"

#include "base/cut.h"
#include "base/file.h"
#include "base/one_more.h"
#include "base/terminal.h"
#include "commands/command.h"
#include "commands/copying.h"
#include "moving/moving_output.h"
#include "moving/moving_scan.h"
#include "wire/json.h"

#include <errno.h>
#include <stdlib.h>

/* A table of the lock, or one that was described. */
struct locked_table {
    struct span name;
    const wire_node *schema;
};

struct schema_lock {
    struct arena *arena;
    struct client *from;
    const char *path;
    struct locked_table *at;
    size_t count;
};

/* --- reading ---------------------------------------------------------------------------------- */

static struct locked_table *find_locked(const struct schema_lock *l, struct span name)
{
    for (size_t i = 0; i < l->count; i++)
        if (span_equal(l->at[i].name, name))
            return &l->at[i];
    return NULL;
}

static void put_locked(struct schema_lock *l, struct span name, const wire_node *schema)
{
    struct locked_table *old = find_locked(l, name);

    if (!old) {
        l->at = one_more(l->arena, l->at, l->count, sizeof *l->at);
        old = &l->at[l->count++];
    }
    *old = (struct locked_table){name, schema};
}

/* A file that does not exist is an empty lock if `may_lack`. */
static const char *read_lock(struct schema_lock *l, bool may_lack)
{
    const wire_node *root;
    struct span text;

    if (!file_read(l->arena, l->path, &text))
        return may_lack && errno == ENOENT ? NULL : file_error(l->arena, l->path);
    if (wire_parse(l->arena, text, &root))
        return problem_text(l->arena, wire_problem(l->arena, text, l->path));
    if (wire_integer(wire_get(root, "mockddb_lock"), 0) != 1)
        return arena_printf(l->arena, "%s is not a lock file of this mockddb", l->path);
    for (const wire_node *n = wire_first(wire_get(root, "tables")); n; n = wire_next(n))
        put_locked(l, wire_text(wire_get(n, "TableName")), n);
    return NULL;
}

/* --- describing ------------------------------------------------------------------------------- */

/* The table's name in a name or an ARN. */
static struct span name_of(struct span name)
{
    if (span_has(name, '/') && span_starts_with(name, SPAN_LIT("arn:")))
        (void)cut_part(&name, '/');
    return name;
}

const char *schema_lock_region(struct arena *a, char *const *words)
{
    for (; words && *words; words++) {
        struct span rest = span_of(*words), region;

        if (!span_starts_with(rest, SPAN_LIT("arn:")))
            continue;
        for (int i = 0; i < 3; i++)
            (void)cut_part(&rest, ':');
        region = cut_part(&rest, ':');
        if (region.len && rest.len)
            return arena_text(a, region);
    }
    return NULL;
}

/* `word` is the name or the ARN, which must be the table's: another region or account may have a
 * table of that name. */
static const char *describe_table(struct schema_lock *l, struct span word, const wire_node **schema)
{
    const struct span name = name_of(word);
    struct moving_scan scan;
    const char *problem = moving_scan_begin(l->arena, l->from, name, &scan);
    struct span arn;

    if (problem)
        return problem;
    arn = wire_text(wire_get(scan.described, "TableArn"));
    if (name.len != word.len && !span_equal(arn, word))
        return arena_printf(l->arena, "%.*s: the table of that name here is %.*s", SPAN_ARG(word),
                            SPAN_ARG(arn));
    if ((problem = moving_scan_schema(l->arena, &scan)))
        return problem;
    copying_say_lacks(name, scan.lacks);
    if (wire_parse(l->arena, scan.schema, schema))
        return arena_printf(l->arena, "the description of %.*s is not JSON", SPAN_ARG(name));
    return NULL;
}

/* --- writing ---------------------------------------------------------------------------------- */

/* A value with a member or element a line, except in the innermost. */
static void put_value(struct buf *out, const wire_node *n, size_t indent)
{
    const enum json_kind kind = json_kind(n);
    bool is_flat = true;

    for (const wire_node *m = wire_first(n); m; m = wire_next(m))
        is_flat &= json_kind(m) != JSON_OBJECT && json_kind(m) != JSON_ARRAY;
    if (is_flat) {
        json_write(out, n);
        return;
    }
    buf_add_text(out, kind == JSON_ARRAY ? "[\n" : "{\n");
    for (const wire_node *m = wire_first(n); m; m = wire_next(m)) {
        buf_printf(out, "%*s", (int)indent + 2, "");
        if (kind == JSON_OBJECT) {
            buf_add_json_string(out, wire_name(m));
            buf_add_text(out, ": ");
        }
        put_value(out, m, indent + 2);
        buf_add_text(out, wire_next(m) ? ",\n" : "\n");
    }
    buf_printf(out, "%*s%c", (int)indent, "", kind == JSON_ARRAY ? ']' : '}');
}

static int compare_tables(const void *a, const void *b)
{
    return span_compare(((const struct locked_table *)a)->name,
                        ((const struct locked_table *)b)->name);
}

static const char *write_lock(const struct schema_lock *l)
{
    struct buf out = buf_in(l->arena);

    qsort(l->at, l->count, sizeof *l->at, compare_tables);
    buf_add_text(&out, "{\n  \"mockddb_lock\": 1,\n  \"tables\": [");
    for (size_t i = 0; i < l->count; i++) {
        buf_add_text(&out, i ? ",\n    " : "\n    ");
        put_value(&out, l->at[i].schema, 4);
    }
    buf_add_text(&out, "\n  ]\n}\n");
    return moving_output_write(l->arena, l->path, buf_span(&out));
}

static const char *pull_tables(struct schema_lock *l, char *const *words)
{
    const bool has_words = words && *words;
    const char *problem = read_lock(l, has_words);
    const size_t known = l->count;
    const wire_node *schema;

    for (size_t i = 0; !has_words && i < known && !problem; i++)
        if (!(problem = describe_table(l, l->at[i].name, &schema)))
            l->at[i].schema = schema;
    for (; has_words && *words && !problem; words++)
        if (!(problem = describe_table(l, span_of(*words), &schema)))
            put_locked(l, name_of(span_of(*words)), schema);
    return problem ? problem : write_lock(l);
}

int schema_lock_pull(struct arena *a, struct client *from, char *const *words, const char *path)
{
    struct schema_lock lock = {.arena = a, .from = from, .path = path};
    const char *problem = pull_tables(&lock, words);

    if (problem)
        return command_fail(problem, EXIT_FAILURE);
    terminal_print("%zu table%s in %s\n", lock.count, lock.count == 1 ? "" : "s", path);
    return EXIT_SUCCESS;
}

/* --- comparing -------------------------------------------------------------------------------- */

/* Where a value is, and the number of differences so far. */
struct lock_comparing {
    struct arena *arena;
    struct span table;
    size_t differences;
};

static void tell_difference(struct lock_comparing *c, const char *path, const wire_node *locked,
                            const wire_node *real)
{
    struct buf out = buf_in(c->arena);

    buf_printf(&out, "%.*s: %s is ", SPAN_ARG(c->table), path);
    if (locked)
        json_write(&out, locked);
    buf_add_text(&out, locked ? " in the lock, " : "not in the lock, ");
    if (real)
        json_write(&out, real);
    buf_add_text(&out, real ? " in the table" : "and not in the table");
    terminal_print("%s\n", buf_text(&out));
    c->differences++;
}

/* What names an element of a list, whose order has no meaning: {NULL, 0} without a name. */
static struct span element_name(const wire_node *element)
{
    static const char *const members[] = {"IndexName", "AttributeName", "Key"};

    for (size_t i = 0; i < COUNT(members); i++)
        if (wire_text(wire_get(element, members[i])).at)
            return wire_text(wire_get(element, members[i]));
    return wire_text(element);
}

static const wire_node *find_beside(const wire_node *in, const wire_node *member)
{
    if (json_kind(in) == JSON_OBJECT)
        return json_member(in, wire_name(member));
    for (const wire_node *e = wire_first(in); e; e = wire_next(e))
        if (span_equal(element_name(e), element_name(member)))
            return e;
    return NULL;
}

static void compare_values(struct lock_comparing *c, const char *path, const wire_node *locked,
                           const wire_node *real);

/* Compares members, or elements that have names, of `from` with those of `with`; those that both
 * have are compared further in one of the two directions. */
static void compare_members(struct lock_comparing *c, const char *path, const wire_node *from,
                            const wire_node *with, bool from_lock)
{
    for (const wire_node *m = wire_first(from); m; m = wire_next(m)) {
        const wire_node *other = find_beside(with, m);
        const struct span name = json_kind(from) == JSON_OBJECT ? wire_name(m) : element_name(m);
        const char *inner = arena_printf(c->arena, "%s%s%.*s", path, *path ? "." : "",
                                         SPAN_ARG(name));

        if (!other)
            tell_difference(c, inner, from_lock ? m : NULL, from_lock ? NULL : m);
        else if (from_lock)
            compare_values(c, inner, m, other);
    }
}

static void compare_values(struct lock_comparing *c, const char *path, const wire_node *locked,
                           const wire_node *real)
{
    const enum json_kind kind = json_kind(locked);
    const bool has_names = kind == JSON_OBJECT ||
                           (kind == JSON_ARRAY && wire_first(locked) && wire_first(real) &&
                            element_name(wire_first(locked)).at);

    if (json_equal(locked, real))
        return;
    if (kind != json_kind(real) || !has_names) {
        tell_difference(c, path, locked, real);
        return;
    }
    compare_members(c, path, locked, real, true);
    compare_members(c, path, real, locked, false);
}

static const char *check_table(struct schema_lock *l, struct lock_comparing *c)
{
    const struct locked_table *locked = find_locked(l, c->table);
    struct moving_scan scan;
    const wire_node *schema;
    const char *problem;

    if (!locked)
        return arena_printf(l->arena, "%s has no table %.*s", l->path, SPAN_ARG(c->table));
    problem = moving_scan_describe(l->arena, l->from, c->table, &scan);
    if (scan.is_missing) {
        terminal_print("%.*s: the table does not exist\n", SPAN_ARG(c->table));
        c->differences++;
        return NULL;
    }
    if (problem || (problem = describe_table(l, c->table, &schema)))
        return problem;
    compare_values(c, "", locked->schema, schema);
    return NULL;
}

int schema_lock_check(struct arena *a, struct client *from, char *const *words, const char *path)
{
    struct schema_lock lock = {.arena = a, .from = from, .path = path};
    struct lock_comparing c = {.arena = a};
    const bool has_words = words && *words;
    const char *problem = read_lock(&lock, false);

    for (size_t i = 0; !problem && !has_words && i < lock.count; i++) {
        c.table = lock.at[i].name;
        problem = check_table(&lock, &c);
    }
    for (; !problem && has_words && *words; words++) {
        c.table = name_of(span_of(*words));
        problem = check_table(&lock, &c);
    }
    if (problem)
        return command_fail(problem, EXIT_FAILURE);
    if (c.differences)
        terminal_print("%s: %zu difference%s\n", path, c.differences,
                       c.differences == 1 ? "" : "s");
    return c.differences ? EXIT_FAILURE : EXIT_SUCCESS;
}
