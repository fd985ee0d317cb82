#include "ops/backup/backup_describe.h"

static const struct error *describe_backup(struct call *c)
{
    struct backup b;
    const struct error *e = backup_find(c, &b);

    if (e)
        return e;
    backup_describe_whole(c, &b, backup_describe_status(c, &b));
    return NULL;
}

const struct op op_describe_backup = {
    .name = "DescribeBackup",
    .members = WIRE_MEMBERS({"BackupArn", &backup_arn_shape, WIRE_REQUIRED}),
    .run = describe_backup,
};
