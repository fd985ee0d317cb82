#include "ops/backup/backup_describe.h"
#include "ops/backup/backup_source.h"
#include "ops/table/table_name.h"

static const struct wire_member create_backup_members[] = {
    {"TableName", &wire_table_name, 0},
    {"BackupName", &wire_index_name, WIRE_REQUIRED}, /* same bounds and pattern */
    {NULL, NULL, 0},
};

static const struct error *create_backup(struct call *c)
{
    const struct table *t;
    const struct error *e;
    struct backup b;

    if ((e = backup_source_made(c, &t)) ||
        (e = backup_begin(c, t, wire_text(wire_get(c->body, "BackupName")), &b)))
        return e;
    backup_describe_details(c, &b, BACKUP_CREATING);
    return NULL;
}

const struct op op_create_backup = {
    .name = "CreateBackup",
    .access = OP_WRITES,
    .members = create_backup_members,
    .precheck = table_name_required,
    .run = create_backup,
};
