#include "fixtures.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/utf8.h"
#include "fixtures_items.h"
#include "fixtures_table.h"

#define BATCH 25 /* items of one BatchWriteItem */

/* Memory is reused table by table and request by request: what was touched at start stays. */
struct loading {
    struct arena *arena;   /* the caller's: folder, names, what is wrong */
    struct arena *table;   /* of the table at hand */
    struct arena *request; /* of the request at hand */
    struct dispatcher *dispatcher;
    const char *folder;
    const char *prefix;
    struct source *sources; /* of the tables so far */
    size_t source_count;
};

/* Where a table comes from. */
struct source {
    struct span table;
    const char *folder;
};

/* --- files ------------------------------------------------------------------------------------ */

static bool is_fixture(struct arena *a, const char *folder)
{
    struct stat found;

    return stat(arena_printf(a, "%s/tables", folder), &found) == 0 && S_ISDIR(found.st_mode);
}

/* The folder of this program, or NULL. */
static const char *program_folder(struct arena *a)
{
    char path[4096];
    ssize_t len = readlink("/proc/self/exe", path, sizeof path - 1);
    char *slash;

    if (len <= 0)
        return NULL;
    path[len] = '\0';
    if (!(slash = strrchr(path, '/')))
        return NULL;
    *slash = '\0';
    return arena_text(a, span_of(path));
}

/* A path as it is; a name in fixtures/ here, where it was installed, beside the installed program,
 * and in the source tree of a program that was built there. */
static const char *find_folder(struct arena *a, const char *name)
{
    const char *program = program_folder(a);
    const char *places[] = {
        name,
        arena_printf(a, "fixtures/%s", name),
        arena_printf(a, "%s/%s", MOCKDDB_FIXTURES_DIR, name),
        program ? arena_printf(a, "%s/../share/mockddb/fixtures/%s", program, name) : NULL,
        program ? arena_printf(a, "%s/../../../fixtures/%s", program, name) : NULL,
    };

    for (size_t i = 0; i < COUNT(places); i++)
        if (places[i] && is_fixture(a, places[i]))
            return places[i];
    return NULL;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names of a folder's files with that ending, without it, sorted; none where there is no folder. */
static size_t list_files(struct arena *a, const char *folder, const char *ending,
                         const char ***names)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    size_t count = 0;

    *names = NULL;
    if (!dir)
        return 0;
    while ((entry = readdir(dir))) {
        struct span file = span_of(entry->d_name);
        size_t tail = strlen(ending);

        if (file.at[0] == '.' || file.len <= tail || strcmp(file.at + file.len - tail, ending) != 0)
            continue;
        *names = arena_grow(a, *names, count * sizeof **names, (count + 1) * sizeof **names);
        (*names)[count++] = arena_text(a, (struct span){file.at, file.len - tail});
    }
    closedir(dir);
    if (count)
        qsort(*names, count, sizeof **names, compare_names);
    return count;
}

/* --- requests --------------------------------------------------------------------------------- */

static struct buf begin_body(struct loading *l)
{
    arena_reset(l->request);
    return buf_in(l->request);
}

/* Runs an operation; NULL, or what the reply says is wrong. */
static const char *call(struct loading *l, const char *operation, struct span body)
{
    struct request request = {
        .target = span_of(arena_printf(l->request, "DynamoDB_20120810.%s", operation)),
        .body = body,
        .auth_error = ERROR_KIND_COUNT,
    };
    const wire_node *answer;
    struct span type, message;
    struct reply reply;
    const char *name;

    dispatch(l->dispatcher, &request, &reply);
    if (reply.status == 200)
        return NULL;
    if (wire_parse(l->request, arena_span(l->request, reply.body), &answer))
        return "no answer";
    type = wire_text(wire_get(answer, "__type"));
    message = wire_text(wire_get(answer, "message"));
    if (!message.len)
        message = wire_text(wire_get(answer, "Message"));
    name = type.len ? memchr(type.at, '#', type.len) : NULL;
    if (name)
        type = span_from(type, (size_t)(name + 1 - type.at));
    return arena_printf(l->arena, "%.*s%s%.*s", SPAN_ARG(type), message.len ? ": " : "",
                        SPAN_ARG(message));
}

static bool exists(struct loading *l, struct span table)
{
    struct buf body = begin_body(l);

    buf_add_text(&body, "{\"TableName\":");
    buf_add_json_string(&body, table);
    buf_add_char(&body, '}');
    return !call(l, "DescribeTable", buf_span(&body));
}

/* --- items ------------------------------------------------------------------------------------ */

struct batch {
    struct fixture_line lines[BATCH];
    size_t count;
};

static const char *put_one(struct loading *l, struct span table, struct span item)
{
    struct buf body = begin_body(l);

    buf_add_text(&body, "{\"TableName\":");
    buf_add_json_string(&body, table);
    buf_add_text(&body, ",\"Item\":");
    buf_add_span(&body, item);
    buf_add_char(&body, '}');
    return call(l, "PutItem", buf_span(&body));
}

/* Puts all of a batch at once; where that is refused, one by one, to find the line that is wrong
 * (or none: the same key may come twice). */
static const char *put_batch(struct loading *l, struct span table, struct batch *batch)
{
    struct buf body = begin_body(l);
    const char *problem = NULL;

    buf_add_text(&body, "{\"RequestItems\":{");
    buf_add_json_string(&body, table);
    buf_add_text(&body, ":[");
    for (size_t i = 0; i < batch->count; i++) {
        buf_add_text(&body, i ? ",{\"PutRequest\":{\"Item\":" : "{\"PutRequest\":{\"Item\":");
        buf_add_span(&body, batch->lines[i].item);
        buf_add_text(&body, "}}");
    }
    buf_add_text(&body, "]}}");
    if (batch->count && call(l, "BatchWriteItem", buf_span(&body)))
        for (size_t i = 0; i < batch->count && !problem; i++)
            if ((problem = put_one(l, table, batch->lines[i].item)))
                problem = arena_printf(l->arena, "line %zu: %s", batch->lines[i].number, problem);
    batch->count = 0;
    return problem;
}

static const char *put_items(struct loading *l, const struct fixture_table *table, struct span text)
{
    struct batch batch = {.count = 0};
    struct fixture_line line;
    size_t number = 0;
    const char *problem;

    for (;;) {
        switch (fixture_next_line(&text, &number, table->partition, &line)) {
        case FIXTURE_BAD_LINE:
            return arena_printf(l->arena, "line %zu: this is not a JSON object", line.number);
        case FIXTURE_END:
            return put_batch(l, table->full_name, &batch);
        case FIXTURE_LINE:
            break;
        }
        batch.lines[batch.count++] = line;
        if (batch.count == BATCH && (problem = put_batch(l, table->full_name, &batch)))
            return problem;
    }
}

/* --- tables ----------------------------------------------------------------------------------- */

static const char *in_file(struct loading *l, const char *path, const char *problem)
{
    return problem ? arena_printf(l->arena, "%s: %s", path, problem) : NULL;
}

/* NULL, or why the file's text cannot be read; errno is ENOENT where there is no such file. */
static const char *read_text(struct loading *l, const char *path, struct span *text)
{
    if (!file_read(l->table, path, text))
        return in_file(l, path, strerror(errno));
    errno = 0;
    return utf8_begins_with_mark(*text) ? in_file(l, path, UTF8_MARK_PROBLEM) : NULL;
}

static const char *make_table(struct loading *l, const struct fixture_table *table)
{
    const char *problem = call(l, "CreateTable", table->create_table);

    if (!problem && table->time_to_live.len)
        problem = call(l, "UpdateTimeToLive", table->time_to_live);
    return problem;
}

static const char *load_items(struct loading *l, const struct fixture_table *table,
                              const char *name)
{
    const char *path = arena_printf(l->table, "%s/items/%s.jsonl", l->folder, name);
    struct span text;
    const char *problem = read_text(l, path, &text);

    if (problem)
        return errno == ENOENT ? NULL : problem;
    return in_file(l, path, put_items(l, table, text));
}

/* A table may be there from an earlier start, but not from another fixture. */
static const char *note_source(struct loading *l, struct span table)
{
    struct source *s = l->sources;
    size_t size = l->source_count * sizeof *s;

    for (size_t i = 0; i < l->source_count; i++)
        if (span_equal(s[i].table, table))
            return arena_printf(l->arena, "table %.*s is in %s, too", SPAN_ARG(table), s[i].folder);
    l->sources = arena_grow(l->arena, s, size, size + sizeof *s);
    l->sources[l->source_count++] = (struct source){arena_span(l->arena, table), l->folder};
    return NULL;
}

static const char *load_table(struct loading *l, const char *name)
{
    const char *path = arena_printf(l->table, "%s/tables/%s.json", l->folder, name);
    struct fixture_table table;
    const char *problem;
    struct span text;

    if ((problem = read_text(l, path, &text)))
        return problem;
    if ((problem = fixture_table_read(l->table, text, name, l->prefix, &table)) ||
        (problem = note_source(l, table.full_name)))
        return in_file(l, path, problem);
    if (exists(l, table.full_name))
        return NULL;
    if ((problem = make_table(l, &table)))
        return in_file(l, path, problem);
    return load_items(l, &table, name);
}

/* Files of items that would not be read, as their names are others than a reader may think. */
static const char *check_items(struct loading *l, const char *const *tables, size_t table_count)
{
    const char *folder = arena_printf(l->arena, "%s/items", l->folder), **names;
    size_t count = list_files(l->arena, folder, ".json", &names);

    if (count)
        return arena_printf(l->arena, "%s/%s.json: items are read from %s.jsonl, one a line",
                            folder, names[0], names[0]);
    count = list_files(l->arena, folder, ".jsonl", &names);
    for (size_t i = 0; i < count; i++)
        if (!table_count || !bsearch(&names[i], tables, table_count, sizeof *tables, compare_names))
            return arena_printf(l->arena, "%s/%s.jsonl: there is no tables/%s.json", folder,
                                names[i], names[i]);
    return NULL;
}

static const char *load_folder(struct loading *l)
{
    const char *folder = arena_printf(l->arena, "%s/tables", l->folder), **tables;
    size_t table_count = list_files(l->arena, folder, ".json", &tables);
    const char *problem = check_items(l, tables, table_count);

    for (size_t i = 0; i < table_count && !problem; i++) {
        problem = load_table(l, tables[i]);
        arena_reset(l->table);
    }
    return problem;
}

static const char *load_fixture(struct loading *l, const char *name)
{
    l->folder = find_folder(l->arena, name);
    if (l->folder)
        return load_folder(l);
    return arena_printf(
        l->arena, "there is no fixture %s: no folder of that path or name that has tables/ in it",
        name);
}

const char *fixtures_load(struct arena *a, struct dispatcher *dispatcher, const char *const *names,
                          size_t count, const char *table_prefix)
{
    struct loading l = {
        .arena = a,
        .table = arena_new(),
        .request = arena_new(),
        .dispatcher = dispatcher,
        .prefix = table_prefix,
    };
    const char *problem = NULL;

    for (size_t i = 0; i < count && !problem; i++)
        problem = load_fixture(&l, names[i]);
    arena_free(l.table);
    arena_free(l.request);
    return problem;
}
