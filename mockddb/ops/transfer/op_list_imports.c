#include "model/limits.h"
#include "ops/transfer/import_describe.h"
#include "ops/transfer/transfer_shapes.h"

static bool is_cursor(struct span text)
{
    if (!text.len || text.len % 16)
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (!span_has(SPAN_LIT("0123456789abcdef"), text.at[i]))
            return false;
    return true;
}

static const struct wire_shape cursor_shape = {
    .type = WIRE_STRING, WIRE_BOUNDS(112, 1024), .pattern = "([0-9a-f]{16})+", .keeps = is_cursor};

static const struct error *list_imports(struct call *c)
{
    return task_put_page(c,
                         &(struct task_page){
                             .kind = TASK_IMPORT,
                             .member = "ImportSummaryList",
                             .limit = wire_integer(wire_get(c->body, "PageSize"), LIMIT_TASKS_PAGE),
                             .by_table = true,
                             .put = import_describe_summary,
                         });
}

const struct op op_list_imports = {
    .name = "ListImports",
    .members = WIRE_MEMBERS({"TableArn", &transfer_shapes_arn, 0},
                            {"PageSize", &transfer_shapes_page, 0},
                            {"NextToken", &cursor_shape, 0}),
    .run = list_imports,
};
