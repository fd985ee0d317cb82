/* op_import.c: the operations on imports. */
#include "ops/table/op_create_table.h"
#include "ops/table/table_shapes.h"
#include "ops/transfer/task.h"
#include "ops/transfer/transfer_shapes.h"

/* --- answers ---------------------------------------------------------------------------------- */

static void put_log_group(struct call *c)
{
    wire_put_member_text(
        &c->reply, "CloudWatchLogGroupArn",
        span_of(arena_printf(c->arena, "arn:aws:logs:%.*s:%.*s:log-group:/aws-dynamodb/imports:*",
                             SPAN_ARG(op_region(c)), SPAN_ARG(c->settings->account))));
}

/* The owner is the caller unless the request names another. */
static void put_source(struct call *c, const wire_node *source)
{
    struct wire_writer *w = &c->reply;
    struct span owner = wire_text(wire_get(source, "S3BucketOwner"));

    wire_open_member(w, "S3BucketSource", '{');
    wire_put_member_text(w, "S3BucketOwner", owner.at ? owner : c->settings->account);
    task_put_asked(w, source, "S3Bucket");
    task_put_asked(w, source, "S3KeyPrefix");
    wire_close(w, '}');
}

static void put_times(struct wire_writer *w, const struct task *t)
{
    wire_put_set_time(w, "StartTime", t->created_ms);
    wire_put_set_time(w, "EndTime", t->ended_ms);
}

static const struct error *put_description(struct call *c, const struct task *t)
{
    struct wire_writer *w = &c->reply;
    const wire_node *request, *packing;
    const struct error *e = task_request(c, t, &request);

    if (e)
        return e;
    packing = wire_get(request, "InputCompressionType");
    wire_open_member(w, "ImportTableDescription", '{');
    wire_put_member_text(w, "ImportArn", task_arn(c, t));
    wire_put_member_word(w, "ImportStatus", task_statuses[t->status]);
    wire_put_member_text(w, "TableArn", table_arn(c, t->table, "", (struct span){NULL, 0}));
    wire_put_member_text(w, "TableId", t->table_id);
    wire_put_member_text(w, "ClientToken", t->token);
    put_source(c, wire_get(request, "S3BucketSource"));
    wire_put_member_integer(w, "ErrorCount", t->faults);
    put_log_group(c);
    task_put_asked(w, request, "InputFormat");
    task_put_asked(w, request, "InputFormatOptions");
    wire_put_member_text(w, "InputCompressionType",
                         packing ? wire_text(packing) : SPAN_LIT("NONE"));
    task_put_asked(w, request, "TableCreationParameters");
    put_times(w, t);
    if (task_has_ended(t)) /* captured: absent at first, like EndTime */
        wire_put_member_integer(w, "ProcessedSizeBytes", t->bytes);
    wire_put_member_integer(w, "ProcessedItemCount", t->items);
    wire_put_member_integer(w, "ImportedItemCount", t->imported);
    wire_put_set_text(w, "FailureCode", t->failure_code);
    wire_put_set_text(w, "FailureMessage", t->failure_message);
    wire_close(w, '}');
    return NULL;
}

static void put_summary(struct call *c, const struct task *t)
{
    struct wire_writer *w = &c->reply;
    const wire_node *request = NULL;

    if (task_request(c, t, &request))
        return;
    wire_put_member_text(w, "ImportArn", task_arn(c, t));
    wire_put_member_word(w, "ImportStatus", task_statuses[t->status]);
    wire_put_member_text(w, "TableArn", table_arn(c, t->table, "", (struct span){NULL, 0}));
    put_source(c, wire_get(request, "S3BucketSource"));
    put_log_group(c);
    task_put_asked(w, request, "InputFormat");
    put_times(w, t);
}

/* --- describing and listing ------------------------------------------------------------------- */

static const struct error *describe_import(struct call *c)
{
    struct span text = wire_text(wire_get(c->body, "ImportArn"));
    struct task place, t;
    const struct error *e;
    struct arn arn;
    bool found;

    if (!task_parse_arn(TASK_IMPORT, text, &arn, &place))
        return error_caused(
            c->arena, ERROR_VALIDATION,
            ERROR_WHY(CAUSE_ARN_KIND, .place = text,
                      .beside = SPAN_LIT("arn:aws:dynamodb:REGION:ACCOUNT:table/NAME/import/ID")),
            "Invalid Import ARN");
    if ((e = task_find(c, &place, &t, &found)))
        return e;
    if (!found || !span_equal(arn.region, op_region(c)) ||
        !span_equal(arn.account, c->settings->account))
        return error_new(c->arena, ERROR_IMPORT_NOT_FOUND, "Import not found: %.*s",
                         SPAN_ARG(text));
    return put_description(c, &t);
}

const struct op op_describe_import = {
    .name = "DescribeImport",
    .members = WIRE_MEMBERS({"ImportArn", &task_arn_shape, WIRE_REQUIRED}),
    .run = describe_import,
};

static bool is_cursor(struct span text)
{
    if (!text.len || text.len % 16)
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (!span_has(SPAN_LIT("0123456789abcdef"), text.at[i]))
            return false;
    return true;
}

static const struct wire_shape cursor_shape = {
    .type = WIRE_STRING, WIRE_BOUNDS(112, 1024), .pattern = "([0-9a-f]{16})+", .keeps = is_cursor};

static const struct error *list_imports(struct call *c)
{
    return task_put_page(c,
                         &(struct task_page){
                             .kind = TASK_IMPORT,
                             .member = "ImportSummaryList",
                             .limit = wire_integer(wire_get(c->body, "PageSize"), LIMIT_TASKS_PAGE),
                             .by_table = true,
                             .put = put_summary,
                         });
}

const struct op op_list_imports = {
    .name = "ListImports",
    .members = WIRE_MEMBERS({"TableArn", &transfer_shapes_arn, 0},
                            {"PageSize", &transfer_shapes_page, 0},
                            {"NextToken", &cursor_shape, 0}),
    .run = list_imports,
};

/* --- a new import ----------------------------------------------------------------------------- */

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
static const struct wire_shape header_shape = {
    .type = WIRE_LIST,
    .element = WIRE_SHAPE(WIRE_STRING, WIRE_BOUNDS(1, LIMIT_CSV_COLUMN),
                          .pattern = "[\\x20-\\x21\\x23-\\x2B\\x2D-\\x7E]*", .keeps = is_column),
    WIRE_BOUNDS(1, LIMIT_CSV_COLUMNS)};
static const struct wire_shape csv_shape = WIRE_STRUCT_OF(
    "CsvOptions", {"Delimiter", &delimiter_shape, 0}, {"HeaderList", &header_shape, 0});
static const struct wire_shape options_shape = WIRE_STRUCT_OF("InputFormatOptions",
                                                              {"Csv", &csv_shape, 0});

static const struct wire_shape table_shape = WIRE_STRUCT_OF(
    "TableCreationParameters", {"AttributeDefinitions", &table_shapes_definitions, WIRE_REQUIRED},
    {"TableName", &wire_index_name, WIRE_REQUIRED}, /* same bounds; an ARN is no name here */
    {"BillingMode", &table_shapes_billing_mode, 0},
    {"ProvisionedThroughput", &table_shapes_throughput, 0},
    {"KeySchema", &table_shapes_key_schema, WIRE_REQUIRED},
    {"GlobalSecondaryIndexes", &table_shapes_globals, 0},
    {"SSESpecification", &table_shapes_sse, 0}, {"OnDemandThroughput", &table_shapes_on_demand, 0},
    {"VectorIndexes", &table_shapes_vectors, 0});

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
    bool found, same, runs;

    if ((e = check_options(c)) || (e = check_header(c)) ||
        (e = task_find_token(c, TASK_IMPORT, &task, &found, &same)))
        return e;
    runs = found && !task_has_ended(&task);
    if (runs && !span_equal(task.table, table))
        return error_new(c->arena, ERROR_IMPORT_CONFLICT,
                         "Import conflict: Duplicate request detected with conflicting parameters");
    if (!runs && (e = begin_import(c, &task)))
        return e;
    return put_description(c, &task);
}

const struct op op_import_table = {
    .name = "ImportTable",
    .access = OP_WRITES,
    .members = WIRE_MEMBERS(
        {"ClientToken", &task_token_shape, WIRE_REQUIRED}, /* SDKs fill it in */
        {"S3BucketSource", &source_shape, WIRE_REQUIRED},
        {"InputFormat", WIRE_SHAPE(WIRE_STRING, .values = NAMES("DYNAMODB_JSON", "ION", "CSV")),
         WIRE_REQUIRED},
        {"InputFormatOptions", &options_shape, 0},
        {"InputCompressionType", &transfer_shapes_compression, 0},
        {"TableCreationParameters", &table_shape, WIRE_REQUIRED}),
    .run = import_table,
};
