#include "ops/op_region.h"
#include "ops/transfer/import_describe.h"

static const struct error *describe_import(struct call *c)
{
    struct span text = wire_text(wire_get(c->body, "ImportArn"));
    struct task place, t;
    const struct error *e;
    struct arn arn;
    bool found;

    if (!task_parse_arn(TASK_IMPORT, text, &arn, &place))
        return error_validation(c->arena, "Invalid Import ARN");
    if ((e = task_find(c, &place, &t, &found)))
        return e;
    if (!found || !span_equal(arn.region, op_region(c)) ||
        !span_equal(arn.account, c->settings->account))
        return error_new(c->arena, ERROR_IMPORT_NOT_FOUND, "Import not found: %.*s",
                         SPAN_ARG(text));
    return import_describe(c, &t);
}

const struct op op_describe_import = {
    .name = "DescribeImport",
    .members = WIRE_MEMBERS({"ImportArn", &task_arn_shape, WIRE_REQUIRED}),
    .run = describe_import,
};
