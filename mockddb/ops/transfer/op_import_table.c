#include "model/limits.h"
#include "ops/table/op_create_table.h"
#include "ops/table/table_shapes.h"
#include "ops/table/table_spec.h"
#include "ops/transfer/import_describe.h"
#include "ops/transfer/transfer_shapes.h"

#include <stddef.h>

static const struct wire_shape source_shape = WIRE_STRUCT_OF(
    "S3BucketSource", {"S3BucketOwner", &transfer_shapes_bucket_owner, 0},
    {"S3Bucket", &transfer_shapes_bucket, WIRE_REQUIRED},
    {"S3KeyPrefix", &transfer_shapes_prefix, 0});

static bool is_delimiter(struct span text)
{
    return text.len == 1 && span_has(SPAN_LIT(",;:|\t "), text.at[0]);
}

static bool is_column(struct span text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] < ' ' || text.at[i] > '~' || text.at[i] == '"' || text.at[i] == ',')
            return false;
    return true;
}

static const struct wire_shape delimiter_shape = {
    .type = WIRE_STRING, WIRE_BOUNDS(1, 1), .pattern = "[,;:|\\t ]", .keeps = is_delimiter};
static const struct wire_shape column_shape = {
    .type = WIRE_STRING,
    WIRE_BOUNDS(1, LIMIT_CSV_COLUMN),
    .pattern = "[\\x20-\\x21\\x23-\\x2B\\x2D-\\x7E]*",
    .keeps = is_column,
};
static const struct wire_shape header_shape = {
    .type = WIRE_LIST, .element = &column_shape, WIRE_BOUNDS(1, LIMIT_CSV_COLUMNS)};
static const struct wire_shape csv_shape = WIRE_STRUCT_OF(
    "CsvOptions", {"Delimiter", &delimiter_shape, 0}, {"HeaderList", &header_shape, 0});
static const struct wire_shape options_shape = WIRE_STRUCT_OF("InputFormatOptions",
                                                              {"Csv", &csv_shape, 0});
static const struct wire_shape format_shape = {.type = WIRE_STRING,
                                               .values = NAMES("DYNAMODB_JSON", "ION", "CSV")};

static const struct wire_member table_members[] = {
    {"AttributeDefinitions", &table_shapes_definitions, WIRE_REQUIRED},
    {"TableName", &wire_index_name, WIRE_REQUIRED}, /* same bounds; an ARN is no name here */
    {"BillingMode", &table_shapes_billing_mode, 0},
    {"ProvisionedThroughput", &table_shapes_throughput, 0},
    {"KeySchema", &table_shapes_key_schema, WIRE_REQUIRED},
    {"GlobalSecondaryIndexes", &table_shapes_globals, 0},
    {"SSESpecification", &table_shapes_sse, 0},
    {"OnDemandThroughput", &table_shapes_on_demand, 0},
    {"VectorIndexes", &table_shapes_vectors, 0},
    {NULL, NULL, 0},
};
static const struct wire_shape table_shape = WIRE_STRUCT_FROM("TableCreationParameters",
                                                              table_members);

static const struct wire_member import_members[] = {
    {"ClientToken", &task_token_shape, WIRE_REQUIRED}, /* SDKs fill it in */
    {"S3BucketSource", &source_shape, WIRE_REQUIRED},
    {"InputFormat", &format_shape, WIRE_REQUIRED},
    {"InputFormatOptions", &options_shape, 0},
    {"InputCompressionType", &transfer_shapes_compression, 0},
    {"TableCreationParameters", &table_shape, WIRE_REQUIRED},
    {NULL, NULL, 0},
};

static const struct error *check_options(struct call *c)
{
    struct span format = wire_text(wire_get(c->body, "InputFormat"));

    if (!wire_get(wire_get(c->body, "InputFormatOptions"), "Csv") || span_is(format, "CSV"))
        return NULL;
    return error_validation(c->arena,
                            "Invalid Request: Unsupported InputFormatOptions for the given input "
                            "format: %.*s.",
                            SPAN_ARG(format));
}

/* Limits the names' total length: each slice reads them, and each row's JSON contains them. */
static const struct error *check_header(struct call *c)
{
    const wire_node *csv = wire_get(wire_get(c->body, "InputFormatOptions"), "Csv");
    const wire_node *list = wire_get(csv, "HeaderList");
    size_t bytes = 0;

    for (const wire_node *name = wire_first(list); name; name = wire_next(name))
        bytes += wire_text(name).len;
    if (bytes <= LIMIT_ITEM_BYTES)
        return NULL;
    return error_validation(c->arena, "The names of HeaderList are longer than an item may be");
}

static const struct error *check_limit(struct call *c)
{
    int64_t open;
    const struct error *e = task_count_open(c, TASK_IMPORT, &open);

    if (e || open < LIMIT_TASKS_OPEN)
        return e;
    return error_new(c->arena, ERROR_LIMIT_EXCEEDED, "Too many concurrent imports: the limit is %d",
                     LIMIT_TASKS_OPEN);
}

static const struct error *begin_import(struct call *c, struct task *task)
{
    const wire_node *table = wire_get(c->body, "TableCreationParameters");
    struct table_spec spec = table_spec_read_import(c->arena, table);
    const struct error *e;

    *task = (struct task){.kind = TASK_IMPORT, .table = wire_text(wire_get(table, "TableName"))};
    if ((e = op_create_table_check(c, &spec)) || (e = op_create_table_check_name(c, task->table)) ||
        (e = check_limit(c)))
        return e;
    task->table_id = span_of(clock_uuid(c->clock, c->arena));
    return task_begin(c, task);
}

/* While an import runs, its token returns this import, even if the request differs. Only another
 * table's name is a conflict (captured from the service). */
static const struct error *import_table(struct call *c)
{
    struct task task;
    const struct error *e;
    struct span table = wire_text(
        wire_get(wire_get(c->body, "TableCreationParameters"), "TableName"));
    bool found, same;

    if ((e = check_options(c)) || (e = check_header(c)) ||
        (e = task_find_token(c, TASK_IMPORT, &task, &found, &same)))
        return e;
    if (found && !task_has_ended(&task) && !span_equal(task.table, table))
        return error_new(c->arena, ERROR_IMPORT_CONFLICT,
                         "Import conflict: Duplicate request detected with conflicting parameters");
    if ((!found || task_has_ended(&task)) && (e = begin_import(c, &task)))
        return e;
    return import_describe(c, &task);
}

const struct op op_import_table = {
    .name = "ImportTable",
    .access = OP_WRITES,
    .members = import_members,
    .run = import_table,
};
