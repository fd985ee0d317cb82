#include "ops/backup/backup_source.h"
#include "ops/backup/recovery.h"
#include "ops/table/table_name.h"

static const struct error *describe_continuous_backups(struct call *c)
{
    const struct table *t;
    const struct error *e = backup_source_find(c, &t);

    if (e)
        return e;
    recovery_describe(c, t);
    return NULL;
}

const struct op op_describe_continuous_backups = {
    .name = "DescribeContinuousBackups",
    .members = WIRE_MEMBERS({"TableName", &wire_table_name, 0}),
    .precheck = table_name_required,
    .run = describe_continuous_backups,
};
