#include "ops/kinesis/kinesis.h"

#include <stdarg.h>

#include "model/limits.h"
#include "ops/op_region.h"
#include "ops/op_transition.h"
#include "ops/table/table_arn.h"
#include "ops/table/table_state.h"

/* Without the first word of names_precisions, which means no precision. */
static const struct wire_shape precision_shape = {.type = WIRE_STRING,
                                                  .values = &names_precisions[1]};

static const struct wire_member configuration_members[] = {
    {"ApproximateCreationDateTimePrecision", &precision_shape, 0},
    {NULL, NULL, 0},
};
const struct wire_shape kinesis_enable_configuration = {
    .type = WIRE_STRUCT,
    .name = "EnableKinesisStreamingConfiguration",
    .members = configuration_members};
const struct wire_shape kinesis_update_configuration = {
    .type = WIRE_STRUCT,
    .name = "UpdateKinesisStreamingConfiguration",
    .members = configuration_members};
const struct wire_shape kinesis_stream_arn = {.type = WIRE_STRING,
                                              WIRE_BOUNDS(LIMIT_STREAM_ARN_MIN, LIMIT_ARN)};

bool kinesis_parse_arn(const struct call *c, struct span text, struct span *name, bool *ours)
{
    static const struct span kind = SPAN_LIT_INIT(":stream/");
    struct arn arn;
    struct span resource;

    if (!table_arn_parse(text, &arn) || !span_is(arn.service, "kinesis"))
        return false;
    resource = span_from(text, (size_t)(arn.account.at - text.at) + arn.account.len);
    if (!span_starts_with(resource, kind))
        return false;
    *name = span_from(resource, kind.len);
    *ours = span_is(arn.partition, "aws") && span_equal(arn.region, op_region(c)) &&
            span_equal(arn.account, c->settings->account);
    return names_keep_pattern(*name) && name->len <= LIMIT_KINESIS_NAME;
}

const struct error *kinesis_find_table(struct call *c, const struct table **out)
{
    const struct error *e = table_state_find(c, out);

    return e ? e : table_state_check_there(c, *out);
}

struct destination *kinesis_find(const struct table *t, struct span stream_arn)
{
    for (size_t i = 0; i < t->destination_count; i++)
        if (span_equal(t->destinations[i].stream_arn, stream_arn))
            return &t->destinations[i];
    return NULL;
}

const struct error *kinesis_wrong_state(struct call *c, const char *fmt, ...)
{
    va_list args;
    const char *text;

    va_start(args, fmt);
    text = arena_vprintf(c->arena, fmt, args);
    va_end(args);
    return error_validation(
        c->arena, "Table is not in a valid state to enable Kinesis Streaming Destination: %s",
        text);
}

enum destination_precision kinesis_read_precision(const wire_node *configuration)
{
    return (enum destination_precision)names_find(
        names_precisions,
        wire_text(wire_get(configuration, "ApproximateCreationDateTimePrecision")),
        PRECISION_UNSAID);
}

static void put_answer(struct call *c, const struct table *t, const struct destination *d,
                       const char *configuration)
{
    struct wire_writer *w = &c->reply;

    wire_put_member_text(w, "TableName", t->name);
    wire_put_member_text(w, "StreamArn", d->stream_arn);
    wire_put_member_word(w, "DestinationStatus", names_destination_statuses[d->status]);
    wire_key(w, configuration);
    wire_open(w, '{');
    if (d->next_precision != PRECISION_UNSAID)
        wire_put_member_word(w, "ApproximateCreationDateTimePrecision",
                             names_precisions[d->next_precision]);
    wire_close(w, '}');
}

const struct error *kinesis_move(struct call *c, struct table *t, struct destination *d,
                                 enum destination_status status, const char *configuration)
{
    d->status = status;
    d->until_ms = op_transition_end(c);
    put_answer(c, t, d, configuration);
    return table_state_keep(c, t);
}
