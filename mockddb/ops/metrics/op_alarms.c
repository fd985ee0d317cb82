#include "ops/metrics/metrics_query.h"

static const char *const states[] = {"OK", "ALARM", "INSUFFICIENT_DATA", NULL};

static const struct error *describe_alarms(struct call *c)
{
    const struct error *e;

    if ((e = metrics_query_check_word(c, wire_get(c->body, "StateValue"), states, "StateValue")))
        return e;
    if (wire_get(c->body, "AlarmNames") && wire_get(c->body, "AlarmNamePrefix"))
        return error_new(c->arena, ERROR_METRICS_COMBINATION,
                         "The parameters AlarmNames and AlarmNamePrefix are mutually exclusive and "
                         "you have specified both.");
    return metrics_query_nothing(c);
}

const struct op op_describe_alarms = {
    .name = "DescribeAlarms",
    .service = OP_MONITORING,
    .members = WIRE_MEMBERS(
        {"AlarmNames", &metrics_query_strings, 0}, {"AlarmNamePrefix", &wire_string, 0},
        {"AlarmTypes", &metrics_query_strings, 0}, {"ChildrenOfAlarmName", &wire_string, 0},
        {"ParentsOfAlarmName", &wire_string, 0}, {"StateValue", &wire_string, 0},
        {"ActionPrefix", &wire_string, 0}, {"MaxRecords", &wire_any_integer, 0},
        {"NextToken", &wire_string, 0}),
    .result = WIRE_MEMBERS({"CompositeAlarms", &metrics_query_structs, 0},
                           {"MetricAlarms", &metrics_query_structs, 0},
                           {"NextToken", &wire_string, 0}),
    .run = describe_alarms,
};

static const struct error *describe_alarms_for_metric(struct call *c)
{
    const struct error *e;

    if ((e = metrics_query_check_present(c, "MetricName", "Namespace")) ||
        (e = metrics_query_check_dimensions(c, wire_get(c->body, "Dimensions"), "Dimensions")) ||
        (e = metrics_query_check_word(c, wire_get(c->body, "Statistic"), metrics_statistic_names,
                                      "Statistic")) ||
        (e = metrics_query_check_unit(c, wire_get(c->body, "Unit"), "Unit")))
        return e;
    return metrics_query_nothing(c);
}

const struct op op_describe_alarms_for_metric = {
    .name = "DescribeAlarmsForMetric",
    .service = OP_MONITORING,
    .members = WIRE_MEMBERS({"MetricName", &wire_string, 0}, {"Namespace", &wire_string, 0},
                            {"Statistic", &wire_string, 0}, {"ExtendedStatistic", &wire_string, 0},
                            {"Dimensions", &metrics_query_dimensions, 0},
                            {"Period", &wire_any_integer, 0}, {"Unit", &wire_string, 0}),
    .result = WIRE_MEMBERS({"MetricAlarms", &metrics_query_structs, 0}),
    .run = describe_alarms_for_metric,
};

static const char *const kinds[] = {
    "ConfigurationUpdate",    "StateUpdate", "Action", "AlarmContributorStateUpdate",
    "AlarmContributorAction", NULL};
static const char *const orders[] = {"TimestampDescending", "TimestampAscending", NULL};

static const struct error *describe_alarm_history(struct call *c)
{
    const struct error *e;

    if ((e = metrics_query_check_word(c, wire_get(c->body, "HistoryItemType"), kinds,
                                      "HistoryItemType")) ||
        (e = metrics_query_check_word(c, wire_get(c->body, "ScanBy"), orders, "ScanBy")))
        return e;
    return metrics_query_nothing(c);
}

const struct op op_describe_alarm_history = {
    .name = "DescribeAlarmHistory",
    .service = OP_MONITORING,
    .members = WIRE_MEMBERS({"AlarmName", &wire_string, 0}, {"AlarmContributorId", &wire_string, 0},
                            {"AlarmTypes", &metrics_query_strings, 0},
                            {"HistoryItemType", &wire_string, 0}, {"StartDate", &wire_timestamp, 0},
                            {"EndDate", &wire_timestamp, 0}, {"MaxRecords", &wire_any_integer, 0},
                            {"NextToken", &wire_string, 0}, {"ScanBy", &wire_string, 0}),
    .result = WIRE_MEMBERS({"AlarmHistoryItems", &metrics_query_structs, 0},
                           {"NextToken", &wire_string, 0}),
    .run = describe_alarm_history,
};

static const struct error *describe_anomaly_detectors(struct call *c)
{
    const struct error *e;

    if ((e = metrics_query_check_dimensions(c, wire_get(c->body, "Dimensions"), "Dimensions")))
        return e;
    return metrics_query_nothing(c);
}

const struct op op_describe_anomaly_detectors = {
    .name = "DescribeAnomalyDetectors",
    .service = OP_MONITORING,
    .members = WIRE_MEMBERS({"NextToken", &wire_string, 0}, {"MaxResults", &wire_any_integer, 0},
                            {"Namespace", &wire_string, 0}, {"MetricName", &wire_string, 0},
                            {"Dimensions", &metrics_query_dimensions, 0},
                            {"AnomalyDetectorTypes", &metrics_query_strings, 0}),
    .result = WIRE_MEMBERS({"AnomalyDetectors", &metrics_query_structs, 0},
                           {"NextToken", &wire_string, 0}),
    .run = describe_anomaly_detectors,
};

const struct op op_list_dashboards = {
    .name = "ListDashboards",
    .service = OP_MONITORING,
    .members = WIRE_MEMBERS({"DashboardNamePrefix", &wire_string, 0},
                            {"NextToken", &wire_string, 0}),
    .result = WIRE_MEMBERS({"DashboardEntries", &metrics_query_structs, 0},
                           {"NextToken", &wire_string, 0}),
    .run = metrics_query_nothing,
};
