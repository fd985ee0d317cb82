#include "ops/kinesis/kinesis.h"
#include "ops/table/table_name.h"
#include "ops/table/table_state.h"

static const struct wire_member describe_kinesis_members[] = {
    {"TableName", &wire_table_name, 0},
    {NULL, NULL, 0},
};

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
    wire_key(&c->reply, "KinesisDataStreamDestinations");
    wire_open(&c->reply, '[');
    for (size_t i = 0; i < t->destination_count; i++)
        put_destination(&c->reply, &t->destinations[i]);
    wire_close(&c->reply, ']');
    return NULL;
}

const struct op op_describe_kinesis_streaming_destination = {
    .name = "DescribeKinesisStreamingDestination",
    .access = OP_READS,
    .members = describe_kinesis_members,
    .precheck = table_name_required,
    .run = describe_kinesis,
};
