#include "ops/backup/backup_source.h"
#include "ops/backup/recovery.h"
#include "ops/table/table_name.h"
#include "ops/table/table_state.h"

static void put_description(struct call *c, const struct table *t)
{
    struct wire_writer *w = &c->reply;
    struct recovery_window window;

    wire_open_member(w, "ContinuousBackupsDescription", '{');
    wire_put_member_word(w, "ContinuousBackupsStatus", names_on_off[true]);
    wire_open_member(w, "PointInTimeRecoveryDescription", '{');
    wire_put_member_word(w, "PointInTimeRecoveryStatus", names_on_off[t->recovery.space != 0]);
    if (t->recovery.space) {
        window = recovery_window(c, t);
        wire_put_member_integer(w, "RecoveryPeriodInDays", t->recovery.days);
        wire_put_member_time(w, "EarliestRestorableDateTime", window.earliest_ms);
        wire_put_member_time(w, "LatestRestorableDateTime", window.latest_ms);
    }
    wire_close(w, '}');
    wire_close(w, '}');
}

static const struct error *describe_continuous_backups(struct call *c)
{
    const struct table *t;
    const struct error *e = backup_source_find(c, &t);

    if (!e)
        put_description(c, t);
    return e;
}

const struct op op_describe_continuous_backups = {
    .name = "DescribeContinuousBackups",
    .members = WIRE_MEMBERS({"TableName", &wire_table_name, 0}),
    .precheck = table_name_required,
    .run = describe_continuous_backups,
};

static const struct wire_shape recovery = WIRE_STRUCT_OF(
    "PointInTimeRecoverySpecification",
    {"PointInTimeRecoveryEnabled", &wire_boolean, WIRE_REQUIRED},
    {"RecoveryPeriodInDays", WIRE_SHAPE(WIRE_INTEGER, WIRE_BOUNDS(1, LIMIT_RECOVERY_DAYS)), 0});
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
    put_description(c, t);
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
