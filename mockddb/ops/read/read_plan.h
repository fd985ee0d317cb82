/* read_plan.h: what a Query or a Scan is going to read: its checks done, nothing read yet.
 *
 * The operations make a plan and read its page; whoever explains a read makes it once more. */
#ifndef OPS_READ_PLAN_H
#define OPS_READ_PLAN_H

#include "expr/expr.h"
#include "ops/op.h"
#include "ops/read/read_page.h"

struct read_plan {
    struct expr_key key; /* a Query's clauses; of a Scan none */
    struct read_page page;
};

MUST_CHECK const struct error *read_plan_query(struct call *c, struct read_plan *out);
MUST_CHECK const struct error *read_plan_scan(struct call *c, struct read_plan *out);

#endif
