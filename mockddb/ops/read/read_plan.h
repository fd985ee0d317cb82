/* read_plan.h: what a Query or Scan will read: checked, but nothing is read yet.
 *
 * The operations make a plan and read its page. Explaining a read makes its plan again. */
#pragma once

#include "ops/read/read_page.h"

struct read_plan {
    struct expr_key key; /* a Query's clauses; empty for a Scan */
    struct read_page page;
};

MUST_CHECK const struct error *read_plan_query(struct call *c, struct read_plan *out);
MUST_CHECK const struct error *read_plan_scan(struct call *c, struct read_plan *out);
