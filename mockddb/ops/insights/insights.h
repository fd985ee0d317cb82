/* insights.h: contributor insights: which keys of a table or global index are used most.
 *
 * Only the state is stored. The figures would be in CloudWatch's rules, which this server does not
 * have.
 * Source: docs/behaviour/insights.md. */
#ifndef OPS_INSIGHTS_H
#define OPS_INSIGHTS_H

#include "ops/op.h"

/* The table or global index of a request. */
struct insights_place {
    const struct table *table;
    const struct index *index; /* NULL: the table itself */
};

/* Finds the place that TableName and IndexName name. */
MUST_CHECK const struct error *insights_find(struct call *c, struct insights_place *out);

/* Returns the state of the place. */
const struct insights *insights_at(const struct insights_place *place);

/* Write TableName, IndexName, ContributorInsightsStatus and, if it is on, the mode. */
void insights_put_place(struct wire_writer *w, const struct insights_place *place);
void insights_put_state(struct wire_writer *w, const struct insights *insights);

#endif
