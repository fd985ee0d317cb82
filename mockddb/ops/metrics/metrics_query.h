/* metrics_query.h: the values of a metric over time, for GetMetricStatistics and GetMetricData. */
#pragma once

#include "ops/metrics/metrics_statistic.h"
#include "ops/op.h"

/* The metric of a request. An unknown metric is not an error; it has no values. */
struct metrics_query {
    bool known;
    struct metrics_key key;
    int64_t from_ms, until_ms; /* inclusive, exclusive */
    int64_t period_s;
};

/* Sets the metric by namespace, name and dimensions (a list of {Name, Value}, or NULL). */
void metrics_query_name(struct metrics_query *q, struct span name_space, struct span name,
                        const wire_node *dimensions);

/* Sets the range from StartTime, rounded down to a minute, to EndTime. Check both before. */
void metrics_query_range(struct metrics_query *q, const wire_node *from, const wire_node *until,
                         const wire_node *period);

/* Lists the periods that have values, in order, in the call's arena. Returns their number. */
size_t metrics_query_run(struct call *c, const struct metrics_query *q,
                         struct metrics_bucket **out);

/* Whether a request's account is this server's account; NULL is. */
bool metrics_query_is_ours(const struct call *c, const wire_node *account);

/* Reads NextToken, the number of entries on earlier pages; 0 without a token. */
MUST_CHECK const struct error *metrics_query_read_token(struct call *c, size_t *before);
void metrics_query_put_token(struct call *c, size_t before);

/* --- lists that are always empty: alarms, dashboards
 * --------------------------------------------*/

/* Checks MaxRecords, MaxResults and NextToken of the request, and writes the empty lists of the
 * operation's result. */
MUST_CHECK const struct error *metrics_query_nothing(struct call *c);
extern const struct wire_shape metrics_query_strings, metrics_query_structs;

/* --- checks of requests ----------------------------------------------------------------------- */

/* "The parameter X is required." */
MUST_CHECK const struct error *metrics_query_missing(struct call *c, const char *parameter);
/* Checks that the request has both parameters. */
MUST_CHECK const struct error *metrics_query_check_present(struct call *c, const char *first,
                                                           const char *second);

/* Check a period in seconds, and that StartTime is before EndTime. */
MUST_CHECK const struct error *metrics_query_check_period(struct call *c, const wire_node *period);
MUST_CHECK const struct error *metrics_query_check_times(struct call *c, const wire_node *from,
                                                         const wire_node *until);

/* Check the length of a list; that each dimension has name and value; that a word is in a list that
 * ends with NULL; a unit. Word and unit may be NULL. `where` is the member's name in messages. */
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

extern const struct wire_shape metrics_query_dimensions, metrics_query_metric; /* both ways */
