#include "ops/backup/backup_describe.h"

static const struct wire_member describe_backup_members[] = {
    {"BackupArn", &backup_arn_shape, WIRE_REQUIRED},
    {NULL, NULL, 0},
};

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
    .access = OP_READS,
    .members = describe_backup_members,
    .run = describe_backup,
};
