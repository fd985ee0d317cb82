/* metrics_query.h: a metric over time: what GetMetricStatistics and GetMetricData look for. */
#ifndef OPS_METRICS_QUERY_H
#define OPS_METRICS_QUERY_H

#include "ops/metrics/metrics_statistic.h"
#include "ops/op.h"

/* What a request names; that there is no such metric is no fault: it has no values. */
struct metrics_query {
    bool known;
    struct metrics_key key;
    int64_t from_ms, until_ms; /* the first one counts, the last one does not */
    int64_t period_s;
};

/* The series that namespace, name and dimensions (a list of {Name, Value}, or NULL) mean. */
void metrics_query_name(struct metrics_query *q, struct span name_space, struct span name,
                        const wire_node *dimensions);

/* From StartTime, rounded down to its minute, to EndTime; both were checked. */
void metrics_query_range(struct metrics_query *q, const wire_node *from, const wire_node *until,
                         const wire_node *period);

/* The periods in order of time, in the call's arena; returns how many. */
size_t metrics_query_run(struct call *c, const struct metrics_query *q,
                         struct metrics_bucket **out);

/* Whether an account that a request names, or NULL, is the one that there is. */
bool metrics_query_is_ours(const struct call *c, const wire_node *account);

/* NextToken: how many entries came before; 0 where the request has none. */
MUST_CHECK const struct error *metrics_query_read_token(struct call *c, size_t *before);
void metrics_query_put_token(struct call *c, size_t before);

/* --- what mockddb never has: alarms, dashboards --------------------------------------------------
 */

/* Writes the lists, a text each, NULL behind the last, without entries. MaxRecords or MaxResults
 * and NextToken of the request, where it has them, are checked. */
MUST_CHECK const struct error *metrics_query_nothing(struct call *c, const char *const *lists,
                                                     int64_t most);
extern const struct wire_shape metrics_query_strings, metrics_query_structs;

/* --- what requests get wrong ------------------------------------------------------------------ */

/* "The parameter X is required." */
MUST_CHECK const struct error *metrics_query_missing(struct call *c, const char *parameter);

/* A period in seconds; StartTime before EndTime. */
MUST_CHECK const struct error *metrics_query_check_period(struct call *c, const wire_node *period);
MUST_CHECK const struct error *metrics_query_check_times(struct call *c, const wire_node *from,
                                                         const wire_node *until);

/* A list that is not too long; dimensions of a metric, each with its name and value; a word of a
 * list that ends with NULL, a unit, either of which may be missing. `where` is what the member is
 * called in messages. */
MUST_CHECK const struct error *metrics_query_check_size(struct call *c, const wire_node *list,
                                                        size_t most, const char *where);
MUST_CHECK const struct error *metrics_query_check_dimensions(struct call *c, const wire_node *list,
                                                              const char *where);
MUST_CHECK const struct error *metrics_query_check_word(struct call *c, const wire_node *word,
                                                        const char *const *words,
                                                        const char *where);
MUST_CHECK const struct error *metrics_query_check_unit(struct call *c, const wire_node *unit,
                                                        const char *where);

/* --- shapes ----------------------------------------------------------------------------------- */

extern const struct wire_shape metrics_query_dimensions; /* of requests and answers */
extern const struct wire_shape metrics_query_time, metrics_query_integer, metrics_query_double;

#endif
