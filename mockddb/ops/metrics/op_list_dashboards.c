#include "model/limits.h"
#include "ops/metrics/metrics_query.h"

static const struct wire_member list_dashboards_members[] = {
    {"DashboardNamePrefix", &wire_string, 0},
    {"NextToken", &wire_string, 0},
    {NULL, NULL, 0},
};

static const struct wire_member list_dashboards_result[] = {
    {"DashboardEntries", &metrics_query_structs, 0},
    {"NextToken", &wire_string, 0},
    {NULL, NULL, 0},
};

static const struct error *list_dashboards(struct call *c)
{
    static const char *const lists[] = {"DashboardEntries", NULL};

    return metrics_query_nothing(c, lists, LIMIT_ALARMS_PAGE);
}

const struct op op_list_dashboards = {
    .name = "ListDashboards",
    .service = OP_MONITORING,
    .access = OP_READS,
    .members = list_dashboards_members,
    .result = list_dashboards_result,
    .run = list_dashboards,
};
