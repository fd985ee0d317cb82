#include "base/date.h"
#include "ops/backup/backup_source.h"
#include "ops/backup/recovery.h"
#include "ops/backup/recovery_log.h"
#include "ops/backup/restore.h"
#include "ops/backup/restore_spec.h"
#include "ops/table/table_arn.h"

#include <assert.h>

static const struct wire_shape source_arn = {.type = WIRE_STRING, WIRE_BOUNDS(1, LIMIT_ARN)};

/* --- the source ------------------------------------------------------------------------------- */

static const struct error *read_source_arn(struct call *c, struct span text, struct span *name)
{
    struct arn arn;

    if (!table_arn_parse(text, &arn) || !span_is(arn.service, "dynamodb") ||
        !names_match_pattern(arn.table) || arn.rest.len)
        return error_caused(
            c->arena, ERROR_VALIDATION,
            ERROR_WHY(CAUSE_ARN_FORM, .place = text,
                      .beside = table_arn(c, SPAN_LIT("NAME"), "", (struct span){NULL, 0})),
            ERROR_PARAMETER "sourceTableArn is not a valid ARN");
    if (!span_equal(arn.account, c->settings->account))
        return error_validation(c->arena, "This action is only supported by accounts that match "
                                          "the resource owner\u2019s account.");
    if (!span_equal(arn.region, op_region(c))) {
        if (!wire_get(c->body, "SSESpecificationOverride"))
            return error_validation(c->arena, "Invalid Request: sseSpecificationOverride must be "
                                              "provided for cross-region restores");
        return error_because(
            c->arena, backup_source_not_found(c, arn.table),
            ERROR_WHY(CAUSE_ARN_ELSEWHERE, .operand = arn.region, .beside = op_region(c)));
    }
    *name = arn.table;
    return NULL;
}

static const struct error *find_source(struct call *c, const struct table **out)
{
    struct span name = wire_text(wire_get(c->body, "SourceTableName"));
    struct span arn = wire_text(wire_get(c->body, "SourceTableArn"));
    const struct error *e;

    if (name.at && arn.at)
        return error_validation(c->arena,
                                "Must provide exactly one of: sourceTableArn, sourceTableName");
    if (!name.at && !arn.at)
        return error_validation(
            c->arena, "The parameter 'TableName' is required but was not present in the request");
    if (arn.at && (e = read_source_arn(c, arn, &name)))
        return e;
    if ((e = backup_source_named(c, name, out)))
        return e;
    if (!(*out)->recovery.space)
        return error_caused(
            c->arena, ERROR_RECOVERY_UNAVAILABLE, ERROR_WHY(CAUSE_NO_RECOVERY, .operand = name),
            "Point in time recovery is not enabled for table '%.*s'", SPAN_ARG(name));
    return NULL;
}

/* --- the moment ------------------------------------------------------------------------------- */

/* The second that contains the moment; -1 before 1970. */
static int64_t second_of(int64_t ms)
{
    return ms >= 0 ? ms / LIMIT_SECOND_MS : -1;
}

static const struct error *read_moment(struct call *c, const struct table *t, int64_t *out)
{
    const wire_node *asked = wire_get(c->body, "RestoreDateTime");
    struct recovery_window window = recovery_window(c, t);
    int64_t moment = wire_time(asked, window.latest_ms);

    if (second_of(moment) < second_of(window.earliest_ms) ||
        second_of(moment) > second_of(window.latest_ms))
        return error_new(c->arena, ERROR_RESTORE_TIME,
                         "RestoreDateTime '%s' must be within EarliestRestorableDateTime '%s' and "
                         "LatestRestorableDateTime '%s'",
                         date_extended(c->arena, moment),
                         date_extended(c->arena, window.earliest_ms),
                         date_extended(c->arena, window.latest_ms));
    *out = moment;
    return NULL;
}

static const struct error *restore_table(struct call *c)
{
    const struct table *t = NULL;
    const struct error *e;
    int64_t moment_ms = 0;
    bool latest = wire_bool(wire_get(c->body, "UseLatestRestorableTime"), false);
    bool moment = wire_get(c->body, "RestoreDateTime") != NULL;

    if (latest && moment)
        return error_validation(c->arena,
                                "Invalid Request: Both RestoreDateTime and UseLatestRestorableTime "
                                "cannot be set for point-in-time restore request.");
    if (!latest && !moment)
        return error_validation(c->arena,
                                "Invalid Request: Either one of RestoreDateTime or "
                                "UseLatestRestorableTime must be specified, but not both");
    if ((e = find_source(c, &t)) || (e = read_moment(c, t, &moment_ms)) ||
        (e = restore_check_target(c)))
        return e;
    assert(t);
    return restore_begin(
        c, &(struct restore_source){
               .table = t,
               .space = t->space,
               .state = {.source_arn = table_arn(c, t->name, "", (struct span){NULL, 0}),
                         .moment_ms = moment_ms,
                         .log_space = t->recovery.space,
                         .log_position = recovery_log_undo_from(c, t->recovery.space)},
           });
}

const struct op op_restore_table_to_point_in_time = {
    .name = "RestoreTableToPointInTime",
    .access = OP_WRITES,
    .members = WIRE_MEMBERS(
        {"SourceTableArn", &source_arn, 0},
        {"SourceTableName", &wire_index_name, 0}, /* same bounds; an ARN is no name here */
        {"TargetTableName", &wire_index_name, WIRE_REQUIRED},
        {"UseLatestRestorableTime", &wire_boolean, 0}, {"RestoreDateTime", &wire_timestamp, 0},
        RESTORE_SPEC_OVERRIDES),
    .table_use = SCHEMA_RESTORE,
    .run = restore_table,
};
