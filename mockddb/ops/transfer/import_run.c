#include "ops/transfer/import_run.h"

#include "base/log.h"
#include "ops/change.h"
#include "ops/key_check.h"
#include "ops/op_region.h"
#include "ops/op_wake.h"
#include "ops/op_write.h"
#include "ops/table/table_build.h"
#include "ops/table/table_state.h"

/* A slice ends at either limit, after about two milliseconds. */
#define SLICE_RECORDS 150
#define SLICE_BYTES   ((size_t)256 * 1024)
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

static struct input_source source_of(struct call *c, const wire_node *request,
                                     const struct table_spec *spec)
{
    struct input_source s = input_run_source(wire_get(request, "S3BucketSource"),
                                             wire_get(request, "InputCompressionType"),
                                             wire_get(request, "InputFormat"));

    s.options.key = clock_hash_key(c->clock);
    if (s.format == &transfer_format_csv) {
        read_types(c, spec, &s.options);
        read_csv(c, wire_get(wire_get(request, "InputFormatOptions"), "Csv"), &s.options);
    }
    return s;
}

/* --- the table -------------------------------------------------------------------------------- */

/* Makes the table like CreateTable. It stays CREATING until all items are read; writes keep its
 * indexes up to date. */
static const struct error *make_table(struct call *c, struct task *t, const struct table_spec *spec)
{
    const struct table *there;
    struct table *table;
    const struct error *e = table_state_look_up(c, t->table, &there);

    if (e)
        return e;
    if (there)
        return task_fail(c, t, "TableAlreadyExists",
                         arena_printf(c->arena, "Table already exists: %.*s", SPAN_ARG(t->table)));
    if ((e = table_build(c, t->table, spec, &table)))
        return e;
    table->uuid = arena_span(table->arena, t->table_id);
    table->restore.filling = true;
    for (size_t i = 0; i < table->index_count; i++)
        table->indexes[i].backfilled = true;
    return table_state_keep(c, table);
}

/* Returns NULL if the table was deleted or replaced. */
static const struct table *find_table(struct call *c, const struct task *t)
{
    const struct table *table = op_region_table(c, t->table);

    return table && span_equal(table->uuid, t->table_id) ? table : NULL;
}

static const struct error *release_table(struct call *c, const struct task *t)
{
    struct table *draft = schema_copy(c->arena, find_table(c, t));

    draft->restore.filling = false;
    return table_state_keep(c, draft);
}

/* --- the end of an import --------------------------------------------------------------------- */

static const struct error *drop_list(struct call *c, struct task *t)
{
    uint32_t space = t->space;

    t->space = 0;
    return space ? op_wake_drop_space(c, space) : NULL;
}

static const struct error *fail_import(struct call *c, struct task *t, const char *code,
                                       const char *message)
{
    const struct error *e = drop_list(c, t);

    return e ? e : task_fail(c, t, code, message);
}

static const struct error *finish_import(struct call *c, struct task *t)
{
    const struct error *e;

    if ((e = release_table(c, t)))
        return e;
    if (t->faults)
        return fail_import(
            c, t, "ItemValidationError",
            "Some of the items failed validation checks and were not imported. Please "
            "check CloudWatch error logs for more details.");
    if ((e = drop_list(c, t)))
        return e;
    return task_end(c, t, TASK_COMPLETED);
}

/* --- items ------------------------------------------------------------------------------------ */

/* Logs a bad record; the service logs to CloudWatch. */
static void note_fault(struct call *c, struct task *t, const struct input_record *in,
                       struct span text)
{
    const char *line = "";

    if (++t->faults > FAULTS_LOGGED)
        return;
    if (in->fault.line)
        line = arena_printf(c->arena, "line %zu: ", in->fault.line);
    log_error("import %.*s: %.*s: %s%.*s%s", SPAN_ARG(task_id(c, t)), SPAN_ARG(in->object), line,
              SPAN_ARG(text), t->faults == FAULTS_LOGGED ? "; further faults are not logged" : "");
}

static const struct error *check_item(struct call *c, const struct table *table,
                                      const struct item *it)
{
    const struct error *e = key_check_item(c->arena, table, it);

    if (e || (e = key_check_indexes(c->arena, table, it)))
        return e;
    return op_write_check_size(c->arena, it);
}

static const struct error *put_item(struct call *c, const struct table *table, struct task *t,
                                    struct input_record *in)
{
    const struct item *it = &in->record.item;
    const struct error *e = check_item(c, table, it);
    struct change ch;

    if (e) {
        in->fault.line = in->record.line;
        note_fault(c, t, in, e->message);
        return NULL;
    }
    t->imported++;
    if ((e = change_begin(c, table, it, &ch)))
        return e;
    return change_put(c, &ch, it, NULL);
}

static const struct error *import_slice(struct call *c, struct task *t,
                                        const struct input_source *source, struct input_run **run)
{
    const struct table *table = find_table(c, t);
    enum input_reading what = INPUT_ITEM;
    struct input_record in;
    const struct error *e;
    size_t bytes = 0;

    if (!table)
        return fail_import(c, t, "UNKNOWN", "The table was deleted");
    for (int i = 0; i < SLICE_RECORDS && bytes < SLICE_BYTES && what != INPUT_PAUSE; i++) {
        if ((e = input_run_next(c, t, source, run, &in, &what)))
            return e;
        if (what == INPUT_END)
            return finish_import(c, t);
        t->items += what != INPUT_PAUSE;
        bytes += input_run_record_len(&in, what);
        if (what == INPUT_ITEM) {
            if ((e = put_item(c, table, t, &in)))
                return e;
        } else if (what != INPUT_PAUSE) {
            note_fault(c, t, &in, in.fault.text);
        }
    }
    return task_keep(c, t);
}

static const struct error *list_slice(struct call *c, struct task *t,
                                      const struct input_source *source,
                                      const struct table_spec *spec, struct input_run **run)
{
    struct bucket_failure why;
    const struct error *e = input_run_list(c, t, source, run, &why);

    if (e)
        return e;
    if (why.code)
        return fail_import(c, t, why.code, why.message);
    if (t->listed && (e = make_table(c, t, spec)))
        return e;
    return task_has_ended(t) ? drop_list(c, t) : task_keep(c, t);
}

const struct error *import_run_step(struct call *c, struct task *t, struct input_run **run)
{
    const wire_node *request;
    const struct error *e = task_request(c, t, &request);
    struct input_source source;
    struct table_spec spec;

    if (e)
        return e;
    spec = table_spec_read_import(c->arena, wire_get(request, "TableCreationParameters"));
    source = source_of(c, request, &spec);
    return t->listed ? import_slice(c, t, &source, run) : list_slice(c, t, &source, &spec, run);
}
