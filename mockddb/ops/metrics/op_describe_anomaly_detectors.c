#include "model/limits.h"
#include "ops/metrics/metrics_query.h"

static const struct wire_member describe_anomaly_detectors_members[] = {
    {"NextToken", &wire_string, 0},
    {"MaxResults", &metrics_query_integer, 0},
    {"Namespace", &wire_string, 0},
    {"MetricName", &wire_string, 0},
    {"Dimensions", &metrics_query_dimensions, 0},
    {"AnomalyDetectorTypes", &metrics_query_strings, 0},
    {NULL, NULL, 0},
};

static const struct wire_member describe_anomaly_detectors_result[] = {
    {"AnomalyDetectors", &metrics_query_structs, 0},
    {"NextToken", &wire_string, 0},
    {NULL, NULL, 0},
};

static const struct error *describe_anomaly_detectors(struct call *c)
{
    static const char *const lists[] = {"AnomalyDetectors", NULL};
    const struct error *e;

    if ((e = metrics_query_check_dimensions(c, wire_get(c->body, "Dimensions"), "Dimensions")))
        return e;
    return metrics_query_nothing(c, lists, LIMIT_ALARMS_PAGE);
}

const struct op op_describe_anomaly_detectors = {
    .name = "DescribeAnomalyDetectors",
    .service = OP_MONITORING,
    .access = OP_READS,
    .members = describe_anomaly_detectors_members,
    .result = describe_anomaly_detectors_result,
    .run = describe_anomaly_detectors,
};
