#include "ops/op_access.h"

const struct error *op_access_check_write(struct call *c, const char *action)
{
    if (!c->settings->read_only)
        return NULL;
    return error_new(c->arena, ERROR_ACCESS_DENIED,
                     "User: arn:aws:iam::%.*s:root is not authorized to perform: dynamodb:%s with "
                     "an explicit deny: the server was started with --read-only",
                     SPAN_ARG(c->settings->account), action);
}
