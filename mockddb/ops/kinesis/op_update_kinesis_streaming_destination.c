#include "ops/kinesis/kinesis.h"
#include "ops/table/table_name.h"

static const struct wire_member update_kinesis_members[] = {
    {"TableName", &wire_table_name, 0},
    {"StreamArn", &kinesis_stream_arn, WIRE_REQUIRED},
    {"UpdateKinesisStreamingConfiguration", &kinesis_update_configuration, 0},
    {NULL, NULL, 0},
};

/* The default precision is milliseconds. */
static enum destination_precision precision_of(const struct destination *d)
{
    return d->precision == PRECISION_UNSAID ? PRECISION_MILLISECOND : d->precision;
}

static const struct error *check_change(struct call *c, const struct table *t, struct span arn,
                                        enum destination_precision precision)
{
    const struct destination *d = kinesis_find(t, arn);

    if (!d)
        return kinesis_wrong_state(
            c, "No streaming destination with streamArn: %.*s found for table with tableName: %.*s",
            SPAN_ARG(arn), SPAN_ARG(t->name));
    if (d->status != DESTINATION_ACTIVE)
        return kinesis_wrong_state(c,
                                   "Kinesis streaming is not in ACTIVE state. Updates are only "
                                   "allowed in ACTIVE state. TableName: %.*s, kdsArn: %.*s",
                                   SPAN_ARG(t->name), SPAN_ARG(arn));
    if (precision_of(d) == precision)
        return error_validation(c->arena,
                                "Invalid Request: Precision is already set to the desired value of "
                                "%s for tableId: %.*s, kdsArn: %.*s",
                                names_precisions[precision], SPAN_ARG(t->uuid), SPAN_ARG(arn));
    return NULL;
}

static const struct error *update_kinesis(struct call *c)
{
    struct span arn = wire_text(wire_get(c->body, "StreamArn"));
    enum destination_precision precision = kinesis_read_precision(
        wire_get(c->body, "UpdateKinesisStreamingConfiguration"));
    const struct table *old;
    struct destination *d;
    const struct error *e;
    struct table *t;

    if (precision == PRECISION_UNSAID)
        return error_validation(c->arena, "Streaming destination cannot be updated with given "
                                          "parameters: UpdateKinesisStreamingConfiguration cannot "
                                          "be null or contain only null values");
    if ((e = kinesis_find_table(c, &old)) || (e = check_change(c, old, arn, precision)))
        return e;
    t = schema_copy(c->arena, old);
    d = kinesis_find(t, arn);
    d->next_precision = precision;
    return kinesis_move(c, t, d, DESTINATION_UPDATING, "UpdateKinesisStreamingConfiguration");
}

const struct op op_update_kinesis_streaming_destination = {
    .name = "UpdateKinesisStreamingDestination",
    .access = OP_WRITES,
    .members = update_kinesis_members,
    .precheck = table_name_required,
    .run = update_kinesis,
};
