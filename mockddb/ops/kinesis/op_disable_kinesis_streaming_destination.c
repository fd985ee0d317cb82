#include "ops/kinesis/kinesis.h"
#include "ops/table/table_name.h"

static const struct wire_member disable_kinesis_members[] = {
    {"TableName", &wire_table_name, 0},
    {"StreamArn", &kinesis_stream_arn, WIRE_REQUIRED},
    {"EnableKinesisStreamingConfiguration", &kinesis_enable_configuration, 0},
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
    if ((e = kinesis_find_table(c, &old)))
        return e;
    now = kinesis_find(old, arn);
    if (!now || now->status != DESTINATION_ACTIVE)
        return kinesis_wrong_state(
            c, "KinesisStreamingDestination must be ACTIVE to perform DISABLE operation.");
    t = schema_copy(c->arena, old);
    return kinesis_move(c, t, kinesis_find(t, arn), DESTINATION_DISABLING,
                        "EnableKinesisStreamingConfiguration");
}

const struct op op_disable_kinesis_streaming_destination = {
    .name = "DisableKinesisStreamingDestination",
    .access = OP_WRITES,
    .members = disable_kinesis_members,
    .precheck = table_name_required,
    .run = disable_kinesis,
};
