/* op_kinesis_destination.c: Kinesis streams as destinations of a table's changes.
 *
 * A table has at most one active destination, and recently disabled ones. Source:
 * docs/behaviour/kinesis.md. */
#include "base/one_more.h"
#include "ops/kinesis/kinesis_record.h"
#include "ops/table/table_name.h"
#include "ops/table/table_state.h"

#define WRONG_STATE "Table is not in a valid state to enable Kinesis Streaming Destination: "

/* Without the first word of names_precisions, which means no precision. */
static const struct wire_shape precision_shape = {.type = WIRE_STRING,
                                                  .values = &names_precisions[1]};

static const struct wire_member configuration_members[] = {
    {"ApproximateCreationDateTimePrecision", &precision_shape, 0},
    {NULL, NULL, 0},
};
static const struct wire_shape stream_arn_shape = {.type = WIRE_STRING,
                                                   WIRE_BOUNDS(LIMIT_STREAM_ARN_MIN, LIMIT_ARN)};

/* Finds the request's table, which must be neither CREATING nor DELETING. */
static const struct error *find_table(struct call *c, const struct table **out)
{
    const struct error *e = table_state_find(c, out);

    return e ? e : table_state_check_there(c, *out);
}

static struct destination *find_destination(const struct table *t, struct span stream_arn)
{
    for (size_t i = 0; i < t->destination_count; i++)
        if (span_equal(t->destinations[i].stream_arn, stream_arn))
            return &t->destinations[i];
    return NULL;
}

static enum destination_precision read_precision(const wire_node *configuration)
{
    return (enum destination_precision)names_find(
        names_precisions,
        wire_text(wire_get(configuration, "ApproximateCreationDateTimePrecision")),
        PRECISION_UNSAID);
}

/* Puts a destination of the table, a copy of the stored one, into a transitional state and stores
 * the table. Replies with TableName, StreamArn, DestinationStatus and `configuration`. */
static const struct error *move_destination(struct call *c, struct table *t, struct destination *d,
                                            enum destination_status status,
                                            const char *configuration)
{
    struct wire_writer *w = &c->reply;

    d->status = status;
    d->until_ms = op_transition_end(c);
    wire_put_member_text(w, "TableName", t->name);
    wire_put_member_text(w, "StreamArn", d->stream_arn);
    wire_put_member_word(w, "DestinationStatus", names_destination_statuses[d->status]);
    wire_open_member(w, configuration, '{');
    if (d->next_precision != PRECISION_UNSAID)
        wire_put_member_word(w, "ApproximateCreationDateTimePrecision",
                             names_precisions[d->next_precision]);
    wire_close(w, '}');
    return table_state_keep(c, t);
}

static void put_destination(struct wire_writer *w, const struct destination *d)
{
    wire_open(w, '{');
    wire_put_member_text(w, "StreamArn", d->stream_arn);
    wire_put_member_word(w, "DestinationStatus", names_destination_statuses[d->status]);
    if (d->status == DESTINATION_ENABLE_FAILED)
        wire_put_member_word(w, "DestinationStatusDescription",
                             "The stream is not one of this account and region");
    if (d->precision != PRECISION_UNSAID)
        wire_put_member_word(w, "ApproximateCreationDateTimePrecision",
                             names_precisions[d->precision]);
    wire_close(w, '}');
}

static const struct error *describe_kinesis(struct call *c)
{
    const struct table *t;
    const struct error *e = table_state_find(c, &t);

    if (e)
        return e;
    wire_put_member_text(&c->reply, "TableName", t->name);
    wire_open_member(&c->reply, "KinesisDataStreamDestinations", '[');
    for (size_t i = 0; i < t->destination_count; i++)
        put_destination(&c->reply, &t->destinations[i]);
    wire_close(&c->reply, ']');
    return NULL;
}

const struct op op_describe_kinesis_streaming_destination = {
    .name = "DescribeKinesisStreamingDestination",
    .members = WIRE_MEMBERS({"TableName", &wire_table_name, 0}),
    .precheck = table_name_required,
    .run = describe_kinesis,
};

static const struct wire_member switch_members[] = {
    {"TableName", &wire_table_name, 0},
    {"StreamArn", &stream_arn_shape, WIRE_REQUIRED},
    {"EnableKinesisStreamingConfiguration",
     WIRE_STRUCT("EnableKinesisStreamingConfiguration", configuration_members), 0},
    {NULL, NULL, 0},
};

static const struct error *disable_kinesis(struct call *c)
{
    const struct destination *now;
    const struct table *old;
    const struct error *e;
    struct span arn = wire_text(wire_get(c->body, "StreamArn"));
    struct table *t;

    if (wire_get(c->body, "EnableKinesisStreamingConfiguration"))
        return error_validation(c->arena, "Stream cannot be disabled using "
                                          "EnableKinesisStreamingConfiguration parameters");
    if ((e = find_table(c, &old)))
        return e;
    now = find_destination(old, arn);
    if (!now || now->status != DESTINATION_ACTIVE)
        return error_validation(
            c->arena,
            WRONG_STATE "KinesisStreamingDestination must be ACTIVE to perform DISABLE operation.");
    t = schema_copy(c->arena, old);
    return move_destination(c, t, &t->destinations[now - old->destinations], DESTINATION_DISABLING,
                            "EnableKinesisStreamingConfiguration");
}

const struct op op_disable_kinesis_streaming_destination = {
    .name = "DisableKinesisStreamingDestination",
    .access = OP_WRITES,
    .members = switch_members,
    .precheck = table_name_required,
    .run = disable_kinesis,
};

/* Returns the destination with the stream, or a new one at the end. */
static struct destination *place_of(struct table *t, struct span arn)
{
    struct destination *found = find_destination(t, arn);

    if (found)
        return found;
    t->destinations = one_more_exactly(t->arena, t->destinations, t->destination_count,
                                       sizeof *found);
    return &t->destinations[t->destination_count++];
}

static const struct error *enable_kinesis(struct call *c)
{
    struct span arn = wire_text(wire_get(c->body, "StreamArn")), name;
    const struct table *old;
    struct destination *d;
    const struct error *e;
    struct table *t;
    bool ours;

    if (!kinesis_record_parse_arn(c, arn, &name, &ours))
        return error_parameter(c->arena, "Invalid StreamArn: %.*s", SPAN_ARG(arn));
    if ((e = find_table(c, &old)))
        return e;
    for (size_t i = 0; i < old->destination_count; i++)
        if (old->destinations[i].status != DESTINATION_DISABLED &&
            old->destinations[i].status != DESTINATION_ENABLE_FAILED)
            return error_validation(c->arena, WRONG_STATE
                                    "EnableKinesisStreamingDestination must be DISABLED or "
                                    "ENABLE_FAILED to perform ENABLE operation.");
    t = schema_copy(c->arena, old);
    d = place_of(t, arn);
    *d = (struct destination){
        .stream_arn = arena_span(t->arena, arn),
        .unknown = !ours,
        .next_precision = read_precision(wire_get(c->body, "EnableKinesisStreamingConfiguration")),
    };
    return move_destination(c, t, d, DESTINATION_ENABLING, "EnableKinesisStreamingConfiguration");
}

const struct op op_enable_kinesis_streaming_destination = {
    .name = "EnableKinesisStreamingDestination",
    .access = OP_WRITES,
    .members = switch_members,
    .precheck = table_name_required,
    .run = enable_kinesis,
};

static const struct error *check_change(struct call *c, const struct table *t,
                                        const struct destination *d, struct span arn,
                                        enum destination_precision precision)
{
    if (!d)
        return error_validation(
            c->arena,
            WRONG_STATE
            "No streaming destination with streamArn: %.*s found for table with tableName: %.*s",
            SPAN_ARG(arn), SPAN_ARG(t->name));
    if (d->status != DESTINATION_ACTIVE)
        return error_validation(c->arena,
                                WRONG_STATE
                                "Kinesis streaming is not in ACTIVE state. Updates are only "
                                "allowed in ACTIVE state. TableName: %.*s, kdsArn: %.*s",
                                SPAN_ARG(t->name), SPAN_ARG(arn));
    if ((d->precision == PRECISION_UNSAID ? PRECISION_MILLISECOND : d->precision) == precision)
        return error_validation(c->arena,
                                "Invalid Request: Precision is already set to the desired value of "
                                "%s for tableId: %.*s, kdsArn: %.*s",
                                names_precisions[precision], SPAN_ARG(t->uuid), SPAN_ARG(arn));
    return NULL;
}

static const struct error *update_kinesis(struct call *c)
{
    struct span arn = wire_text(wire_get(c->body, "StreamArn"));
    enum destination_precision precision = read_precision(
        wire_get(c->body, "UpdateKinesisStreamingConfiguration"));
    const struct table *old;
    const struct destination *now;
    struct destination *d;
    const struct error *e;
    struct table *t;

    if (precision == PRECISION_UNSAID)
        return error_validation(c->arena, "Streaming destination cannot be updated with given "
                                          "parameters: UpdateKinesisStreamingConfiguration cannot "
                                          "be null or contain only null values");
    if ((e = find_table(c, &old)) ||
        (e = check_change(c, old, now = find_destination(old, arn), arn, precision)))
        return e;
    t = schema_copy(c->arena, old);
    d = &t->destinations[now - old->destinations];
    d->next_precision = precision;
    return move_destination(c, t, d, DESTINATION_UPDATING, "UpdateKinesisStreamingConfiguration");
}

const struct op op_update_kinesis_streaming_destination = {
    .name = "UpdateKinesisStreamingDestination",
    .access = OP_WRITES,
    .members = WIRE_MEMBERS(
        {"TableName", &wire_table_name, 0}, {"StreamArn", &stream_arn_shape, WIRE_REQUIRED},
        {"UpdateKinesisStreamingConfiguration",
         WIRE_STRUCT("UpdateKinesisStreamingConfiguration", configuration_members), 0}),
    .precheck = table_name_required,
    .run = update_kinesis,
};
