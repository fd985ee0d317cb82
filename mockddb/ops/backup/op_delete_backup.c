#include "base/date.h"
#include "ops/backup/backup_describe.h"
#include "ops/backup/restore.h"

static const struct error *check_free(struct call *c, const struct backup *b)
{
    struct span arn = wire_text(wire_get(c->body, "BackupArn"));
    const struct error *e;
    bool used;

    if (b->type == BACKUP_SYSTEM)
        return error_validation(c->arena,
                                "Invalid Request: User is not allowed to delete the system backup "
                                "with arn %.*s. It will automatically expire on %s",
                                SPAN_ARG(arn), date_extended(c->arena, b->expires_ms));
    if (!backup_is_available(c, b))
        return backup_being_created(c, arn);
    if ((e = restore_find_from(c, arn, &used)))
        return e;
    return used ? error_new(c->arena, ERROR_BACKUP_IN_USE,
                            "Backup is being used to restore table: %.*s", SPAN_ARG(arn))
                : NULL;
}

static const struct error *delete_backup(struct call *c)
{
    struct backup b;
    const struct error *e;

    if ((e = backup_find(c, &b)) || (e = check_free(c, &b)))
        return e;
    backup_describe_whole(c, &b, BACKUP_DELETED);
    return backup_remove(c, &b);
}

const struct op op_delete_backup = {
    .name = "DeleteBackup",
    .access = OP_WRITES,
    .members = WIRE_MEMBERS({"BackupArn", &backup_arn_shape, WIRE_REQUIRED}),
    .run = delete_backup,
};
