#include "ops/kinesis/kinesis.h"
#include "ops/table/table_name.h"

static const struct wire_member enable_kinesis_members[] = {
    {"TableName", &wire_table_name, 0},
    {"StreamArn", &kinesis_stream_arn, WIRE_REQUIRED},
    {"EnableKinesisStreamingConfiguration", &kinesis_enable_configuration, 0},
    {NULL, NULL, 0},
};

static const struct error *check_none_is_on(struct call *c, const struct table *t)
{
    for (size_t i = 0; i < t->destination_count; i++)
        if (t->destinations[i].status != DESTINATION_DISABLED &&
            t->destinations[i].status != DESTINATION_ENABLE_FAILED)
            return kinesis_wrong_state(c, "EnableKinesisStreamingDestination must be DISABLED or "
                                          "ENABLE_FAILED to perform ENABLE operation.");
    return NULL;
}

/* Returns the destination with the stream, or a new one at the end. */
static struct destination *place_of(struct table *t, struct span arn)
{
    struct destination *found = kinesis_find(t, arn), *all;

    if (found)
        return found;
    all = arena_array(t->arena, t->destination_count + 1, sizeof *all);
    if (t->destination_count)
        memcpy(all, t->destinations, t->destination_count * sizeof *all);
    t->destinations = all;
    return &all[t->destination_count++];
}

static const struct error *enable_kinesis(struct call *c)
{
    struct span arn = wire_text(wire_get(c->body, "StreamArn")), name;
    const struct table *old;
    struct destination *d;
    const struct error *e;
    struct table *t;
    bool ours;

    if (!kinesis_parse_arn(c, arn, &name, &ours))
        return error_parameter(c->arena, "Invalid StreamArn: %.*s", SPAN_ARG(arn));
    if ((e = kinesis_find_table(c, &old)) || (e = check_none_is_on(c, old)))
        return e;
    t = schema_copy(c->arena, old);
    d = place_of(t, arn);
    *d = (struct destination){
        .stream_arn = arena_span(t->arena, arn),
        .unknown = !ours,
        .next_precision = kinesis_read_precision(
            wire_get(c->body, "EnableKinesisStreamingConfiguration")),
    };
    return kinesis_move(c, t, d, DESTINATION_ENABLING, "EnableKinesisStreamingConfiguration");
}

const struct op op_enable_kinesis_streaming_destination = {
    .name = "EnableKinesisStreamingDestination",
    .access = OP_WRITES,
    .members = enable_kinesis_members,
    .precheck = table_name_required,
    .run = enable_kinesis,
};
