#include "moving/moving_fixtures.h"

#include "base/one_more.h"
#include "dispatch/dispatch_client.h"
#include "fixtures/fixtures.h"
#include "moving/moving_files.h"

#include <sys/stat.h>

struct loading {
    struct arena *arena;
    struct moving_import *import;
    struct moving_report report;
    struct progress *progress; /* may be NULL */
    const char *name;          /* of the fixture, as the user gave it */
    struct source *sources;    /* of the tables so far */
    size_t source_count;
};

/* The fixture that a table comes from. */
struct source {
    struct span table;
    const char *fixture;
};

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

static bool is_file(const char *path)
{
    struct stat found;

    return stat(path, &found) == 0 && S_ISREG(found.st_mode);
}

/* A fixture's items need a table of the same name. */
static const char *check_items(struct loading *l, const struct moving_files *files)
{
    const struct moving_file *end = files->at + files->count, *table;

    for (const struct moving_file *f = files->at; f < end; f++) {
        for (table = files->at; table < end; table++)
            if (table->expected == MOVING_TEXT_TABLE && span_equal(table->table, f->table))
                break;
        if (f->expected == MOVING_TEXT_ITEMS && table == end)
            return arena_printf(l->arena, "%s: there is no tables/%.*s.json", f->shown,
                                SPAN_ARG(f->table));
    }
    return NULL;
}

/* Loads a folder, or a file that describes tables: a template, a model or one table. */
static const char *load_fixture(struct loading *l)
{
    struct moving_files files = {NULL, 0};
    const char *problem;

    if (!fixtures_find(l->arena, l->name) && !is_file(l->name))
        return arena_printf(l->arena,
                            "there is no fixture %s: no folder of that path or name contains "
                            "tables/, and it is not a file",
                            l->name);
    if ((problem = moving_files_find(l->arena, l->name, &files)) ||
        (problem = check_items(l, &files)))
        return problem;
    return moving_files_import(l->arena, &files, l->import, &l->report, l->progress);
}

const char *moving_fixtures_load(struct arena *a, struct dispatcher *dispatcher,
                                 const struct settings *settings,
                                 const struct moving_fixtures *fixtures)
{
    const struct template_options templates = {fixtures->params, settings->region,
                                               settings->account};
    const struct moving_import_options options = {
        .prefix = fixtures->table_prefix, .templates = &templates, .is_fixture = true};
    const struct dispatch_client_options unsaved = {.settings = settings, .is_unsaved = true};
    struct client *client = dispatch_client_new(a, dispatcher, &unsaved);
    struct moving_tables *tables = moving_tables_new(a, client);
    struct loading l = {.arena = a,
                        .report = {.stops = true, .note = fixtures->note},
                        .progress = fixtures->progress};
    const char *problem = NULL;

    moving_tables_ask(tables, note_source, &l);
    l.import = moving_import_new(a, client, tables, &l.report, &options);
    for (size_t i = 0; i < fixtures->names.count && !problem; i++) {
        l.name = fixtures->names.at[i];
        problem = load_fixture(&l);
    }
    if (problem) /* a file would keep them, and the next start would leave them alone */
        moving_tables_drop_made(tables);
    moving_import_free(l.import);
    return problem;
}
