#include "ops/op_region.h"
#include "ops/transfer/export_describe.h"

static const struct error *describe_export(struct call *c)
{
    struct span text = wire_text(wire_get(c->body, "ExportArn"));
    struct task place, t;
    const struct error *e;
    struct arn arn;
    bool found;

    if (!task_parse_arn(TASK_EXPORT, text, &arn, &place))
        return error_validation(c->arena, "Invalid Export ARN");
    if (!span_equal(arn.region, op_region(c)) || !span_equal(arn.account, c->settings->account))
        return error_new(c->arena, ERROR_EXPORT_NOT_FOUND, "Export not found: Invalid export arn");
    if ((e = task_find(c, &place, &t, &found)))
        return e;
    if (!found)
        return error_new(c->arena, ERROR_EXPORT_NOT_FOUND,
                         "Export not found: Export not found: %.*s", SPAN_ARG(text));
    return export_describe(c, &t);
}

const struct op op_describe_export = {
    .name = "DescribeExport",
    .members = WIRE_MEMBERS({"ExportArn", &task_arn_shape, WIRE_REQUIRED}),
    .run = describe_export,
};
