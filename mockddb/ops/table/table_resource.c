#include "ops/table/table_resource.h"

#include "ops/table/table_name.h"

const struct wire_shape table_resource_shape = {.type = WIRE_STRING,
                                                WIRE_BOUNDS(1, LIMIT_RESOURCE_ARN)};

const struct error *table_resource_required(struct call *c)
{
    if (wire_text(wire_get(c->body, "ResourceArn")).len)
        return NULL;
    return error_caused(c->arena, ERROR_VALIDATION,
                        ERROR_WHY(CAUSE_MEMBER_MISSING, .operand = SPAN_LIT("ResourceArn")),
                        "Invalid TableArn");
}

/* What is wrong with the ARN; NULL: nothing is. */
static const struct error *check_arn(struct call *c, bool lists_tags, struct span text,
                                     struct arn *arn)
{
    bool well_formed;

    if (!span_starts_with(text, SPAN_LIT("arn:")))
        return error_parameter(c->arena, "ARNs must start with 'arn:': %.*s", SPAN_ARG(text));
    well_formed = table_arn_parse(text, arn);
    if (!well_formed || !span_is(arn->service, "dynamodb") || !arn->table.len ||
        span_starts_with(arn->rest, SPAN_LIT("/backup/")))
        return error_parameter(c->arena, "Provided Arn is not a DynamoDB resource arn: %.*s",
                               SPAN_ARG(text));
    if (arn->rest.len && !span_starts_with(arn->rest, SPAN_LIT("/stream/")))
        return error_parameter(c->arena,
                               "Invalid resource arn provided, only table or stream is accepted. "
                               "Provided resource arn: %.*s",
                               SPAN_ARG(text));
    if (!span_is(arn->partition, "aws") || !table_name_serves(c, arn))
        return lists_tags
                   ? error_validation(
                         c->arena, "Invalid TableArn: Invalid ResourceArn provided as input %.*s",
                         SPAN_ARG(text))
                   : error_parameter(c->arena, "Invalid resource Arn: %.*s", SPAN_ARG(text));
    if (!span_equal(arn->account, c->settings->account))
        return error_new(c->arena, ERROR_ACCESS_DENIED,
                         "User: arn:aws:iam::%.*s:root is not authorized to perform: dynamodb:%s "
                         "on resource: %.*s",
                         SPAN_ARG(c->settings->account), c->op->name, SPAN_ARG(text));
    return NULL;
}

const struct error *table_resource_read(struct call *c, bool lists_tags, struct arn *arn)
{
    struct span text = wire_text(wire_get(c->body, "ResourceArn"));
    const struct error *e = check_arn(c, lists_tags, text, arn);

    return e ? table_name_arn_fault(c, e, text) : NULL;
}
