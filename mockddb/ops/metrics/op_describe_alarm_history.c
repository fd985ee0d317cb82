#include "model/limits.h"
#include "ops/metrics/metrics_query.h"

static const struct wire_member describe_alarm_history_members[] = {
    {"AlarmName", &wire_string, 0},
    {"AlarmContributorId", &wire_string, 0},
    {"AlarmTypes", &metrics_query_strings, 0},
    {"HistoryItemType", &wire_string, 0},
    {"StartDate", &metrics_query_time, 0},
    {"EndDate", &metrics_query_time, 0},
    {"MaxRecords", &metrics_query_integer, 0},
    {"NextToken", &wire_string, 0},
    {"ScanBy", &wire_string, 0},
    {NULL, NULL, 0},
};

static const struct wire_member describe_alarm_history_result[] = {
    {"AlarmHistoryItems", &metrics_query_structs, 0},
    {"NextToken", &wire_string, 0},
    {NULL, NULL, 0},
};

static const char *const kinds[] = {
    "ConfigurationUpdate",    "StateUpdate", "Action", "AlarmContributorStateUpdate",
    "AlarmContributorAction", NULL};
static const char *const orders[] = {"TimestampDescending", "TimestampAscending", NULL};

static const struct error *describe_alarm_history(struct call *c)
{
    static const char *const lists[] = {"AlarmHistoryItems", NULL};
    const struct error *e;

    if ((e = metrics_query_check_word(c, wire_get(c->body, "HistoryItemType"), kinds,
                                      "HistoryItemType")))
        return e;
    if ((e = metrics_query_check_word(c, wire_get(c->body, "ScanBy"), orders, "ScanBy")))
        return e;
    return metrics_query_nothing(c, lists, LIMIT_ALARMS_PAGE);
}

const struct op op_describe_alarm_history = {
    .name = "DescribeAlarmHistory",
    .service = OP_MONITORING,
    .access = OP_READS,
    .members = describe_alarm_history_members,
    .result = describe_alarm_history_result,
    .run = describe_alarm_history,
};
