#include "moving/moving_import_core.h"

#include "moving/moving_model.h"

/* A list of sample data ends. */
static const char *end_samples(struct moving_import *i)
{
    const char *problem;

    if (!i->text.reader)
        return NULL;
    transfer_reader_feed(i->text.reader, SPAN_LIT("]"));
    transfer_reader_end(i->text.reader);
    problem = moving_import_take_items(i);
    transfer_reader_free(i->text.reader);
    i->text.reader = NULL;
    return problem;
}

static const char *begin_samples(struct moving_import *i, const struct moving_model_run *run)
{
    const struct transfer_options options = {.by_lines = true, .guesses = &i->model.guesses};
    const struct modelled *of = &i->model.tables[run->table];
    const char *problem;

    if (i->goal.table != of->table) {
        i->goal.name = of->name;
        if ((problem = moving_import_end_load(i)) ||
            (problem = moving_import_in_file(i, moving_import_begin_load(i, of->table))))
            return problem;
        i->goal.table = of->table;
    }
    i->text.reader = transfer_reader_new(&moving_model_samples, &options);
    transfer_reader_begin_at(i->text.reader, run->place.line, run->place.column - 1);
    transfer_reader_feed(i->text.reader, SPAN_LIT("[")); /* the bracket comes before the run */
    return NULL;
}

/* Handles the second reading. */
static const char *take_samples(struct moving_import *i, const struct moving_model_run *run)
{
    const char *problem;

    if (!run->is_data)
        return end_samples(i);
    if (!run->counts || !i->model.tables[run->table].table)
        return NULL;
    if (!i->text.reader && (problem = begin_samples(i, run)))
        return problem;
    transfer_reader_feed(i->text.reader, run->text);
    return moving_import_take_items(i);
}

const char *moving_import_take_model(struct moving_import *i, struct span part)
{
    struct moving_model_run run;
    const char *problem = NULL;

    while (part.len && !problem) {
        problem = moving_import_in_file(i, moving_model_take(i->model.text, &part, &run));
        if (!problem && i->model.again)
            problem = take_samples(i, &run);
    }
    return problem;
}

const char *moving_import_begin_model(struct moving_import *i)
{
    const char *problem;

    if (i->options.table)
        return moving_import_in_file(
            i, "a model names its tables itself: --only chooses, --map renames");
    i->model.text = moving_model_new();
    problem = moving_import_take_model(i, buf_span(&i->text.whole));
    arena_reset(i->whole_arena);
    i->text.whole = buf_in(i->whole_arena);
    return problem;
}

static const char *make_modelled(struct moving_import *i, struct modelled *out)
{
    struct moving_model_table model;
    const char *problem = moving_model_table(i->model.text, i->arena, &model);
    const size_t made = moving_tables_made(i->tables);
    struct span name;

    if (problem || !moving_import_meet(i, model.name))
        return moving_import_in_file(i, problem);
    out->name = model.name;
    name = moving_import_name_of(i, model.name);
    if ((problem = moving_tables_make(i->tables, model.create_table, name)) ||
        (problem = moving_tables_find(i->tables, name, &out->table)))
        return arena_printf(i->arena, "%s: line %zu, column %zu: %s", i->text.file,
                            model.place.line, model.place.column, problem);
    if (i->options.is_fixture && moving_tables_made(i->tables) == made)
        out->table = NULL;
    if (model.is_provisioned && moving_tables_made(i->tables) != made && !i->model.demanded++)
        i->model.first_demanded = model.name;
    return NULL;
}

/* Reports once that tables have no provisioned units. */
static void tell_demanded(struct moving_import *i)
{
    const size_t others = i->model.demanded - 1;

    if (i->model.demanded)
        moving_report_note(
            i->report, i->arena, i->text.file,
            "%.*s%s, provisioned in the model, %s made on demand: UpdateTable gives a table its "
            "units",
            SPAN_ARG(i->model.first_demanded),
            others ? arena_printf(i->arena, " and %zu other%s", others, others == 1 ? "" : "s")
                   : "",
            others ? "were" : "was");
}

/* Creates its tables, one at a time; then its data is read again. */
const char *moving_import_finish_model(struct moving_import *i, bool *more, bool *again)
{
    const char *problem;

    if (i->model.again) {
        const struct transfer_guesses *g = &i->model.guesses;

        problem = end_samples(i);
        /* Reports once what was guessed about sample data. */
        if (g->items)
            moving_report_note(
                i->report, i->arena, i->text.file,
                "values in %zu item%s have no type of DynamoDB's JSON, or are written "
                "otherwise than it has them, the first in %s: they became what JSON "
                "has, a string, number, list or map",
                g->items, g->items == 1 ? "" : "s", g->attribute);
        tell_demanded(i);
        return problem;
    }
    *more = true;
    if (!i->model.tables) {
        if ((problem = moving_model_read(i->model.text, &i->model.count)))
            return moving_import_in_file(i, problem);
        i->model.tables = arena_array(i->whole_arena, i->model.count + 1, sizeof *i->model.tables);
        i->model.made = 0;
    } else if (i->model.made < i->model.count) {
        return make_modelled(i, &i->model.tables[i->model.made++]);
    } else {
        moving_model_again(i->model.text);
        *more = false;
        *again = i->model.again = true;
    }
    return NULL;
}
