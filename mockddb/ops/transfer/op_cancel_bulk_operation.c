#include "ops/op_wake.h"
#include "ops/transfer/bulk_describe.h"

/* Items that were put stay. An operation that has ended does not change. */
static const struct error *cancel_bulk_operation(struct call *c)
{
    struct task t;
    const struct error *e = bulk_describe_find(c, &t);

    if (e)
        return e;
    if (!task_has_ended(&t)) {
        t.status = TASK_CANCELLING;
        op_wake(c, WAKE_TRANSFER, clock_now_ms(c->clock));
        if ((e = task_keep(c, &t)))
            return e;
    }
    wire_put_member_text(&c->reply, "BulkOperationArn", task_arn(c, &t));
    wire_put_member_word(&c->reply, "BulkOperationStatus", task_statuses[t.status]);
    return NULL;
}

const struct op op_cancel_bulk_operation = {
    .name = "CancelBulkOperation",
    .access = OP_WRITES,
    .members = WIRE_MEMBERS({"BulkOperationArn", &task_arn_shape, WIRE_REQUIRED}),
    .run = cancel_bulk_operation,
};
