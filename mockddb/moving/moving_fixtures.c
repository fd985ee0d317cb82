#include "moving/moving_fixtures.h"

#include "base/one_more.h"
#include "dispatch/dispatch_client.h"
#include "fixtures/fixtures.h"
#include "fixtures/fixtures_table.h"
#include "moving/moving_files.h"

#include <sys/stat.h>

#define PART ((size_t)32 * 1024) /* bytes of a text that are read at once */

/* Memory is reused from table to table and from request to request: once touched, it stays. */
struct loading {
    struct arena *arena;   /* the caller's: folder, names, errors */
    struct arena *table;   /* of the current table */
    struct arena *request; /* of the current request */
    struct client *client;
    struct moving_import *import;
    const char *name; /* of the fixture, as the user gave it */
    const char *folder;
    const char *prefix;
    struct progress *progress; /* may be NULL */
    struct source *sources;    /* of the tables so far */
    size_t source_count;
};

/* The fixture that a table comes from. */
struct source {
    struct span table;
    const char *fixture;
};

/* Runs an operation; returns NULL, or the error in the reply. */
static const char *call_operation(struct loading *l, const char *operation, struct span body)
{
    struct client_answer answer;
    const char *problem;

    arena_reset(l->request);
    problem = client_call(l->client, l->request, operation, body, &answer);
    return problem || !answer.error_type.len ? problem : client_answer_error(l->arena, &answer);
}

static const char *in_file(struct loading *l, const char *shown, const char *problem)
{
    return problem ? arena_printf(l->arena, "%s: %s", shown, problem) : NULL;
}

static const char *put_items(struct loading *l, const struct fixture_file *file, struct span table)
{
    struct span text, left;
    bool more = true, again;
    const char *problem = fixtures_files_read(l->table, file, &text);

    if (problem)
        return in_file(l, file->shown, problem);
    left = text;
    moving_import_begin_fixture(l->import, file->shown, table);
    progress_part(l->progress, table, text.len);
    for (; more && !problem; progress_at(l->progress, text.len - left.len))
        problem = moving_import_feed(l->import, &left, PART, &more);
    return problem ? problem : moving_import_end(l->import, &more, &again);
}

/* A file would keep the table, and the next start would leave it alone, with a part of its items.
 */
static void drop_table(struct loading *l, const struct fixture_table *table)
{
    struct buf unprotect = client_table_request_begun(l->table, table->full_name);

    buf_add_text(&unprotect, ",\"DeletionProtectionEnabled\":false}");
    (void)call_operation(l, "UpdateTable", buf_span(&unprotect));
    (void)call_operation(l, "DeleteTable", client_table_request(l->table, table->full_name));
}

/* A table may exist from an earlier start, but may not come from another fixture. */
static const char *note_source(void *loading, struct span table)
{
    struct loading *l = loading;
    const struct source *s = l->sources;

    for (size_t i = 0; i < l->source_count; i++)
        if (span_equal(s[i].table, table))
            return arena_printf(l->arena, "table %.*s is in %s, too", SPAN_ARG(table),
                                s[i].fixture);
    l->sources = one_more(l->arena, l->sources, l->source_count, sizeof *s);
    l->sources[l->source_count++] = (struct source){arena_span(l->arena, table), l->name};
    return NULL;
}

static const char *load_table(struct loading *l, const struct fixture_file *file,
                              const struct fixture_file *items)
{
    struct fixture_table table;
    const char *problem;
    struct span text;

    if ((problem = fixtures_files_read(l->table, file, &text)) ||
        (problem = fixtures_table_read(l->table, text, file->name, l->prefix, &table)) ||
        (problem = note_source(l, table.full_name)))
        return in_file(l, file->shown, problem);
    if (!call_operation(l, "DescribeTable", client_table_request(l->table, table.full_name)))
        return NULL;
    problem = call_operation(l, "CreateTable", table.create_table);
    for (size_t i = 0; i < table.after_count && !problem; i++)
        problem = call_operation(l, table.after[i].operation, table.after[i].body);
    problem = in_file(l, file->shown, problem);
    if (!problem && items)
        problem = put_items(l, items, table.full_name);
    if (problem)
        drop_table(l, &table);
    return problem;
}

/* Lists the fixture's tables/ and items/; items need a table. */
static const char *list_folder(struct loading *l, struct fixture_files *tables,
                               struct fixture_files *items)
{
    const char *problem;

    if ((problem = fixtures_list_tables(l->arena, l->folder, l->name, tables)) ||
        (problem = fixtures_list_items(l->arena, l->folder, l->name, items)))
        return problem;
    for (size_t i = 0; i < items->count; i++)
        if (!fixtures_files_find(tables, items->at[i].name))
            return arena_printf(l->arena, "%s: there is no tables/%s.json", items->at[i].shown,
                                items->at[i].name);
    return NULL;
}

static const char *load_folder(struct loading *l)
{
    struct fixture_files tables, items;
    const char *problem = list_folder(l, &tables, &items);

    for (size_t i = 0; i < tables.count && !problem; i++) {
        problem = load_table(l, &tables.at[i], fixtures_files_find(&items, tables.at[i].name));
        arena_reset(l->table);
    }
    return problem;
}

/* A file that describes tables: a template, a model or one table. */
static const char *load_file(struct loading *l, const struct moving_fixtures *fixtures,
                             const struct settings *settings)
{
    const struct template_options templates = {fixtures->params, settings->region,
                                               settings->account};
    const struct moving_import_options options = {
        .prefix = l->prefix, .templates = &templates, .only_described = true};
    struct moving_report report = {.stops = true, .note = fixtures->note};
    struct moving_tables *tables = moving_tables_new(l->arena, l->client);
    struct moving_files files = {NULL, 0};
    const char *problem = moving_files_find(l->arena, l->name, &files);
    struct moving_import *import;

    if (problem)
        return problem;
    moving_tables_ask(tables, note_source, l);
    import = moving_import_new(l->arena, l->client, tables, &report, &options);
    problem = moving_files_import(l->arena, &files, import, &report, NULL);
    moving_import_free(import);
    return problem;
}

static bool is_file(const char *path)
{
    struct stat found;

    return stat(path, &found) == 0 && S_ISREG(found.st_mode);
}

static const char *load_fixture(struct loading *l, const struct moving_fixtures *fixtures,
                                const struct settings *settings)
{
    if ((l->folder = fixtures_find(l->arena, l->name)))
        return load_folder(l);
    if (is_file(l->name))
        return load_file(l, fixtures, settings);
    return arena_printf(l->arena,
                        "there is no fixture %s: no folder of that path or name contains tables/, "
                        "and it is not a file",
                        l->name);
}

const char *moving_fixtures_load(struct arena *a, struct dispatcher *dispatcher,
                                 const struct settings *settings,
                                 const struct moving_fixtures *fixtures)
{
    const struct moving_import_options options = {.prefix = ""};
    struct moving_report report = {.stops = true};
    struct loading l = {
        .arena = a,
        .table = arena_new(),
        .request = arena_new(),
        .client = dispatch_client_new(
            a, dispatcher,
            &(struct dispatch_client_options){.settings = settings, .is_unsaved = true}),
        .prefix = fixtures->table_prefix,
        .progress = fixtures->progress,
    };
    const char *problem = NULL;

    l.import = moving_import_new(a, l.client, NULL, &report, &options);
    for (size_t i = 0; i < fixtures->count && !problem; i++) {
        l.name = fixtures->names[i];
        problem = load_fixture(&l, fixtures, settings);
    }
    progress_end(l.progress);
    arena_free(l.table);
    arena_free(l.request);
    moving_import_free(l.import);
    return problem;
}
