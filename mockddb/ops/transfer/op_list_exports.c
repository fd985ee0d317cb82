#include "model/limits.h"
#include "ops/op_region.h"
#include "ops/transfer/export_describe.h"
#include "ops/transfer/transfer_shapes.h"

/* Exports of a deleted table are not listed. */
static bool is_listed(struct call *c, const struct task *t)
{
    const struct table *table = op_region_table(c, t->table);

    return table && span_equal(table->uuid, t->table_id);
}

static const struct error *list_exports(struct call *c)
{
    return task_put_page(
        c, &(struct task_page){
               .kind = TASK_EXPORT,
               .member = "ExportSummaries",
               .limit = wire_integer(wire_get(c->body, "MaxResults"), LIMIT_TASKS_PAGE),
               .by_table = true,
               .shows = is_listed,
               .put = export_describe_summary,
           });
}

const struct op op_list_exports = {
    .name = "ListExports",
    .members = WIRE_MEMBERS({"TableArn", &transfer_shapes_arn, 0},
                            {"MaxResults", &transfer_shapes_page, 0},
                            {"NextToken", &wire_string, 0}),
    .run = list_exports,
};
