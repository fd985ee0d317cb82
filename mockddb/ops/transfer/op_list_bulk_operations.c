#include "model/limits.h"
#include "ops/transfer/bulk_describe.h"

static const struct wire_shape page_shape = {.type = WIRE_INTEGER, WIRE_AT_LEAST(1)};
/* Lists the operations of the last ninety days. */
static bool is_listed(struct call *c, const struct task *t)
{
    return t->created_ms + LIMIT_BULK_LISTED_MS > clock_now_ms(c->clock);
}

static const struct error *list_bulk_operations(struct call *c)
{
    return task_put_page(
        c, &(struct task_page){
               .kind = TASK_BULK_PUT,
               .member = "BulkOperationsSummaryList",
               .limit = wire_integer(wire_get(c->body, "MaxResults"), LIMIT_BULK_PAGE),
               .shows = is_listed,
               .put = bulk_describe_summary,
           });
}

static const struct op_paging paging = {
    "NextToken", "NextToken", "MaxResults", {"BulkOperationsSummaryList"}, NULL};

const struct op op_list_bulk_operations = {
    .name = "ListBulkOperations",
    .paging = &paging,
    .members = WIRE_MEMBERS({"MaxResults", &page_shape, 0}, {"NextToken", &wire_string, 0}),
    .run = list_bulk_operations,
};
