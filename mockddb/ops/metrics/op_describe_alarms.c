#include "model/limits.h"
#include "ops/metrics/metrics_query.h"

static const struct wire_member describe_alarms_members[] = {
    {"AlarmNames", &metrics_query_strings, 0},
    {"AlarmNamePrefix", &wire_string, 0},
    {"AlarmTypes", &metrics_query_strings, 0},
    {"ChildrenOfAlarmName", &wire_string, 0},
    {"ParentsOfAlarmName", &wire_string, 0},
    {"StateValue", &wire_string, 0},
    {"ActionPrefix", &wire_string, 0},
    {"MaxRecords", &metrics_query_integer, 0},
    {"NextToken", &wire_string, 0},
    {NULL, NULL, 0},
};

static const struct wire_member describe_alarms_result[] = {
    {"CompositeAlarms", &metrics_query_structs, 0},
    {"MetricAlarms", &metrics_query_structs, 0},
    {"NextToken", &wire_string, 0},
    {NULL, NULL, 0},
};

static const char *const states[] = {"OK", "ALARM", "INSUFFICIENT_DATA", NULL};

static const struct error *describe_alarms(struct call *c)
{
    static const char *const lists[] = {"CompositeAlarms", "MetricAlarms", NULL};
    const struct error *e;

    if ((e = metrics_query_check_word(c, wire_get(c->body, "StateValue"), states, "StateValue")))
        return e;
    if (wire_get(c->body, "AlarmNames") && wire_get(c->body, "AlarmNamePrefix"))
        return error_new(c->arena, ERROR_METRICS_COMBINATION,
                         "The parameters AlarmNames and AlarmNamePrefix are mutually exclusive and "
                         "you have specified both.");
    return metrics_query_nothing(c, lists, LIMIT_ALARMS_PAGE);
}

const struct op op_describe_alarms = {
    .name = "DescribeAlarms",
    .service = OP_MONITORING,
    .access = OP_READS,
    .members = describe_alarms_members,
    .result = describe_alarms_result,
    .run = describe_alarms,
};
