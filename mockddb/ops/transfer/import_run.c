#include "ops/transfer/import_run.h"

#include "base/log.h"
#include "ops/key_check.h"
#include "ops/op_write.h"
#include "ops/table/table_build.h"
#include "ops/table/table_state.h"

#define SLICE_RECORDS 150
#define FAULTS_LOGGED 10

/* --- the request ------------------------------------------------------------------------------ */

/* Columns that are keys of the table or an index have the key's type. */
static void read_types(struct call *c, const struct table_spec *spec, struct transfer_options *out)
{
    struct transfer_column *types = arena_array(c->arena, spec->definitions.len, sizeof *types);

    for (size_t i = 0; i < spec->definitions.len; i++)
        types[i] = (struct transfer_column){spec->definitions.at[i].name,
                                            spec->definitions.at[i].type};
    out->types = types;
    out->type_count = spec->definitions.len;
}

static void read_csv(struct call *c, const wire_node *csv, struct transfer_options *out)
{
    struct span delimiter = wire_text(wire_get(csv, "Delimiter"));
    const wire_node *list = wire_get(csv, "HeaderList");
    struct span *header = arena_array(c->arena, wire_count(list), sizeof *header);

    out->delimiter = delimiter.len ? delimiter.at[0] : '\0';
    for (const wire_node *name = wire_first(list); name; name = wire_next(name))
        header[out->header_count++] = wire_text(name);
    out->header = header;
}

static struct input_source source_of(struct call *c, const wire_node *request)
{
    struct input_source s = input_run_source(wire_get(request, "S3BucketSource"),
                                             wire_get(request, "InputCompressionType"),
                                             wire_get(request, "InputFormat"));
    struct table_spec spec;

    s.options.key = clock_hash_key(c->clock);
    if (s.format == &transfer_format_csv) {
        spec = table_spec_read_import(c->arena, wire_get(request, "TableCreationParameters"));
        read_types(c, &spec, &s.options);
        read_csv(c, wire_get(wire_get(request, "InputFormatOptions"), "Csv"), &s.options);
    }
    return s;
}

/* --- the table -------------------------------------------------------------------------------- */

/* Makes the table like CreateTable. It stays CREATING until all items are read; writes keep its
 * indexes up to date. */
static const struct error *make_table(struct input_slice *s)
{
    struct call *c = s->call;
    struct task *t = s->task;
    const struct table_spec spec = table_spec_read_import(
        c->arena, wire_get(s->request, "TableCreationParameters"));
    const struct table *there;
    struct table *table;
    const struct error *e = table_state_look_up(c, t->table, &there);

    if (e)
        return e;
    if (there)
        return task_fail(c, t, "TableAlreadyExists",
                         arena_printf(c->arena, "Table already exists: %.*s", SPAN_ARG(t->table)));
    if ((e = table_build(c, t->table, &spec, &table)))
        return e;
    table->uuid = arena_span(table->arena, t->table_id);
    table->restore.filling = true;
    for (size_t i = 0; i < table->index_count; i++)
        table->indexes[i].backfilled = true;
    return table_state_keep(c, table);
}

static const struct error *finish_import(struct input_slice *s)
{
    struct table *draft = schema_copy(s->call->arena, s->table);
    const struct error *e;

    draft->restore.filling = false;
    if ((e = table_state_keep(s->call, draft)))
        return e;
    if (s->task->faults)
        return input_run_fail(
            s->call, s->task, "ItemValidationError",
            "Some of the items failed validation checks and were not imported. Please "
            "check CloudWatch error logs for more details.");
    if ((e = input_run_drop(s->call, s->task)))
        return e;
    return task_end(s->call, s->task, TASK_COMPLETED);
}

/* --- items ------------------------------------------------------------------------------------ */

/* Logs a bad record; the service logs to CloudWatch. */
static const struct error *note_fault(struct input_slice *s, struct input_record *in)
{
    const char *line = "";

    if (++s->task->faults > FAULTS_LOGGED)
        return NULL;
    if (in->fault.line)
        line = arena_printf(s->call->arena, "line %zu: ", in->fault.line);
    log_error("import %.*s: %.*s: %s%.*s%s", SPAN_ARG(task_id(s->call, s->task)),
              SPAN_ARG(in->object), line, SPAN_ARG(in->fault.text),
              s->task->faults == FAULTS_LOGGED ? "; further faults are not logged" : "");
    return NULL;
}

static const struct error *check_item(struct call *c, const struct table *table,
                                      const struct item *it)
{
    const struct error *e = key_check_item(c->arena, table, it);

    if (e || (e = key_check_indexes(c->arena, table, it)))
        return e;
    return op_write_check_size(c->arena, it);
}

static const struct error *put_item(struct input_slice *s, struct input_record *in)
{
    const struct item *it = &in->record.item;
    const struct error *e = check_item(s->call, s->table, it);
    struct change ch;

    if (e) {
        in->fault = (struct transfer_fault){.text = e->message, .line = in->record.line};
        return note_fault(s, in);
    }
    s->task->imported++;
    if ((e = change_begin(s->call, s->table, it, &ch)))
        return e;
    return change_put(s->call, &ch, it, NULL);
}

const struct error *import_run_step(struct call *c, struct task *t, struct input_run **run)
{
    static const struct input_sink sink = {make_table, put_item, note_fault, finish_import,
                                           SLICE_RECORDS};
    struct input_slice s = {.call = c, .task = t, .run = run};
    const struct error *e = task_request(c, t, &s.request);

    if (e)
        return e;
    s.source = source_of(c, s.request);
    return input_run_step(&s, &sink);
}
