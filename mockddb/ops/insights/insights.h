/* insights.h: contributor insights: which keys of a table or global index are used most.
 *
 * What is kept is the state; the figures themselves are in CloudWatch's rules, which are not here.
 * Source: docs/behaviour/insights.md. */
#ifndef OPS_INSIGHTS_H
#define OPS_INSIGHTS_H

#include "ops/op.h"

/* The table, or the global index of it, that a request is about. */
struct insights_place {
    const struct table *table;
    const struct index *index; /* NULL: the table itself */
};

/* What TableName and IndexName say. */
MUST_CHECK const struct error *insights_find(struct call *c, struct insights_place *out);

/* The state there. */
const struct insights *insights_at(const struct insights_place *place);

/* Members TableName, IndexName, ContributorInsightsStatus and, where it is on, the mode. */
void insights_put_place(struct wire_writer *w, const struct insights_place *place);
void insights_put_state(struct wire_writer *w, const struct insights *insights);

#endif
