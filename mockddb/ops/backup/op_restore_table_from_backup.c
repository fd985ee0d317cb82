#include "ops/backup/backup.h"
#include "ops/backup/restore.h"
#include "ops/backup/restore_spec.h"
#include "ops/table/table_arn.h"

static const struct wire_member restore_members[] = {
    {"TargetTableName", &wire_index_name, WIRE_REQUIRED}, /* same bounds; an ARN is no name here */
    {"BackupArn", &backup_arn_shape, WIRE_REQUIRED},
    RESTORE_SPEC_OVERRIDES,
    {NULL, NULL, 0},
};

static const struct error *check_free(struct call *c, const struct backup *b)
{
    struct span arn = wire_text(wire_get(c->body, "BackupArn"));
    const struct error *e;
    bool used;

    if (!backup_is_available(c, b))
        return backup_being_created(c, arn);
    if ((e = restore_find_from(c, arn, &used)))
        return e;
    return used ? error_new(c->arena, ERROR_BACKUP_IN_USE,
                            "Backup is being used to restore another table: %.*s", SPAN_ARG(arn))
                : NULL;
}

static const struct error *restore_table(struct call *c)
{
    const struct error *e;
    struct backup b;

    if ((e = backup_find(c, &b)) || (e = restore_check_target(c)) || (e = check_free(c, &b)))
        return e;
    return restore_begin(
        c, &(struct restore_source){
               .table = b.table,
               .space = b.space,
               .state = {.source_arn = table_arn(c, b.table->name, "", (struct span){NULL, 0}),
                         .backup_arn = backup_arn(c, &b),
                         .moment_ms = b.created_ms},
           });
}

const struct op op_restore_table_from_backup = {
    .name = "RestoreTableFromBackup",
    .access = OP_WRITES,
    .members = restore_members,
    .table_use = SCHEMA_RESTORE,
    .run = restore_table,
};
