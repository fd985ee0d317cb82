#include "model/limits.h"
#include "ops/metrics/metrics_query.h"

static const struct wire_member describe_alarms_for_metric_members[] = {
    {"MetricName", &wire_string, 0},
    {"Namespace", &wire_string, 0},
    {"Statistic", &wire_string, 0},
    {"ExtendedStatistic", &wire_string, 0},
    {"Dimensions", &metrics_query_dimensions, 0},
    {"Period", &metrics_query_integer, 0},
    {"Unit", &wire_string, 0},
    {NULL, NULL, 0},
};

static const struct wire_member describe_alarms_for_metric_result[] = {
    {"MetricAlarms", &metrics_query_structs, 0},
    {NULL, NULL, 0},
};

static const struct error *describe_alarms_for_metric(struct call *c)
{
    static const char *const needed[] = {"MetricName", "Namespace"};
    static const char *const lists[] = {"MetricAlarms", NULL};
    const struct error *e;

    for (size_t i = 0; i < COUNT(needed); i++)
        if (!wire_text(wire_get(c->body, needed[i])).len)
            return metrics_query_missing(c, needed[i]);
    if ((e = metrics_query_check_dimensions(c, wire_get(c->body, "Dimensions"), "Dimensions")))
        return e;
    if ((e = metrics_query_check_word(c, wire_get(c->body, "Statistic"), metrics_statistic_names,
                                      "Statistic")))
        return e;
    if ((e = metrics_query_check_unit(c, wire_get(c->body, "Unit"), "Unit")))
        return e;
    return metrics_query_nothing(c, lists, LIMIT_ALARMS_PAGE);
}

const struct op op_describe_alarms_for_metric = {
    .name = "DescribeAlarmsForMetric",
    .service = OP_MONITORING,
    .access = OP_READS,
    .members = describe_alarms_for_metric_members,
    .result = describe_alarms_for_metric_result,
    .run = describe_alarms_for_metric,
};
