#include "model/limits.h"
#include "ops/backup/backup_source.h"
#include "ops/backup/recovery.h"
#include "ops/table/table_name.h"
#include "ops/table/table_state.h"

static const struct wire_shape period = {.type = WIRE_INTEGER, WIRE_BOUNDS(1, LIMIT_RECOVERY_DAYS)};
static const struct wire_shape recovery = WIRE_STRUCT_OF(
    "PointInTimeRecoverySpecification",
    {"PointInTimeRecoveryEnabled", &wire_boolean, WIRE_REQUIRED},
    {"RecoveryPeriodInDays", &period, 0});
static const struct error *update_continuous_backups(struct call *c)
{
    const wire_node *asked = wire_get(c->body, "PointInTimeRecoverySpecification");
    bool enabled = wire_bool(wire_get(asked, "PointInTimeRecoveryEnabled"), false);
    const wire_node *days = wire_get(asked, "RecoveryPeriodInDays");
    const struct table *old;
    struct table *t;
    const struct error *e;

    if (!enabled && days)
        return error_validation(c->arena,
                                "Invalid Request: Cannot specify RecoveryPeriodInDays when "
                                "disabling point-in-time recovery.");
    if ((e = backup_source_made(c, &old)))
        return e;
    t = schema_copy(c->arena, old);
    e = enabled ? recovery_enable(c, t, wire_integer(days, LIMIT_RECOVERY_DAYS))
                : recovery_disable(c, t);
    if (e)
        return e;
    recovery_describe(c, t);
    return table_state_keep(c, t);
}

const struct op op_update_continuous_backups = {
    .name = "UpdateContinuousBackups",
    .access = OP_WRITES,
    .members = WIRE_MEMBERS({"TableName", &wire_table_name, 0},
                            {"PointInTimeRecoverySpecification", &recovery, WIRE_REQUIRED}),
    .precheck = table_name_required,
    .run = update_continuous_backups,
};
