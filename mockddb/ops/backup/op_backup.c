/* op_backup.c: the operations on backups, and the restore of a table from one.
 *
 * Source: docs/behaviour/backups.md. */
#include "base/date.h"
#include "ops/backup/backup.h"
#include "ops/backup/backup_source.h"
#include "ops/backup/restore.h"
#include "ops/backup/restore_spec.h"
#include "ops/table/table_describe.h"
#include "ops/table/table_name.h"

static const struct wire_shape arn_shape = {.type = WIRE_STRING,
                                            WIRE_BOUNDS(LIMIT_BACKUP_ARN_MIN, LIMIT_ARN)};

/* --- answers ---------------------------------------------------------------------------------- */

enum backup_status { BACKUP_CREATING, BACKUP_AVAILABLE, BACKUP_DELETED };

static const char *const statuses[] = {
    [BACKUP_CREATING] = "CREATING",
    [BACKUP_AVAILABLE] = "AVAILABLE",
    [BACKUP_DELETED] = "DELETED",
};

static enum backup_status status_of(const struct call *c, const struct backup *b)
{
    return backup_is_available(c, b) ? BACKUP_AVAILABLE : BACKUP_CREATING;
}

/* The members that BackupDetails and BackupSummary share. */
static void put_common(struct call *c, const struct backup *b, enum backup_status status)
{
    struct wire_writer *w = &c->reply;

    wire_put_member_text(w, "BackupArn", backup_arn(c, b));
    wire_put_member_text(w, "BackupName", b->name);
    wire_put_member_integer(w, "BackupSizeBytes", b->bytes);
    wire_put_member_word(w, "BackupStatus", statuses[status]);
    wire_put_member_word(w, "BackupType", backup_types[b->type]);
    wire_put_member_time(w, "BackupCreationDateTime", b->created_ms);
    wire_put_set_time(w, "BackupExpiryDateTime", b->expires_ms);
}

static void put_details(struct call *c, const struct backup *b, enum backup_status status)
{
    wire_open_member(&c->reply, "BackupDetails", '{');
    put_common(c, b, status);
    wire_close(&c->reply, '}');
}

static const struct error *put_whole(struct call *c, const struct backup *b,
                                     enum backup_status status)
{
    struct wire_writer *w = &c->reply;
    const struct error *e;
    const struct table *t = b->table;

    wire_open_member(w, "BackupDescription", '{');
    put_details(c, b, status);
    wire_open_member(w, "SourceTableDetails", '{');
    wire_put_member_text(w, "TableName", t->name);
    wire_put_member_text(w, "TableId", t->uuid);
    wire_put_member_text(w, "TableArn", table_arn(c, t->name, "", (struct span){NULL, 0}));
    wire_put_member_integer(w, "TableSizeBytes", b->bytes);
    wire_put_key_schema(w, &t->keys);
    wire_put_member_time(w, "TableCreationDateTime", t->created_ms);
    table_describe_throughput(c, &t->throughput, TABLE_BACKED_UP);
    table_describe_on_demand(w, t->on_demand_limits);
    wire_put_member_integer(w, "ItemCount", b->items);
    wire_put_member_word(w, "BillingMode", names_billing_modes[t->on_demand]);
    wire_close(w, '}');
    wire_open_member(w, "SourceTableFeatureDetails", '{');
    if ((e = table_describe_indexes(c, t, TABLE_BACKED_UP)))
        return e;
    table_describe_stream_view(w, "StreamDescription", t);
    if (t->ttl_attribute.len) {
        wire_open_member(w, "TimeToLiveDescription", '{');
        wire_put_member_word(w, "TimeToLiveStatus", names_on_off[true]);
        wire_put_member_text(w, "AttributeName", t->ttl_attribute);
        wire_close(w, '}');
    }
    table_describe_encryption(w, t);
    wire_close(w, '}');
    wire_close(w, '}');
    return NULL;
}

/* --- one backup ------------------------------------------------------------------------------- */

static const struct error *create_backup(struct call *c)
{
    const struct table *t;
    const struct error *e;
    struct backup b;

    if ((e = backup_source_made(c, &t)) ||
        (e = backup_begin(c, t, wire_text(wire_get(c->body, "BackupName")), &b)))
        return e;
    put_details(c, &b, BACKUP_CREATING);
    return NULL;
}

const struct op op_create_backup = {
    .name = "CreateBackup",
    .access = OP_WRITES,
    .members = WIRE_MEMBERS({"TableName", &wire_table_name, 0},
                            /* same bounds and pattern */
                            {"BackupName", &wire_index_name, WIRE_REQUIRED}),
    .precheck = table_name_required,
    .run = create_backup,
};

static const struct error *describe_backup(struct call *c)
{
    struct backup b;
    const struct error *e = backup_find(c, &b);

    return e ? e : put_whole(c, &b, status_of(c, &b));
}

const struct op op_describe_backup = {
    .name = "DescribeBackup",
    .members = WIRE_MEMBERS({"BackupArn", &arn_shape, WIRE_REQUIRED}),
    .run = describe_backup,
};

/* Checks that the backup is complete and that no table is being restored from it. `use` is the end
 * of the message. */
static const struct error *check_free(struct call *c, const struct backup *b, const char *use)
{
    struct span arn = wire_text(wire_get(c->body, "BackupArn"));
    const struct error *e;
    bool used;

    if (!backup_is_available(c, b))
        return error_new(c->arena, ERROR_BACKUP_IN_USE, "Backup is being created: %.*s",
                         SPAN_ARG(arn));
    if ((e = restore_find_from(c, arn, &used)))
        return e;
    return used ? error_new(c->arena, ERROR_BACKUP_IN_USE,
                            "Backup is being used to restore %s: %.*s", use, SPAN_ARG(arn))
                : NULL;
}

static const struct error *delete_backup(struct call *c)
{
    struct backup b;
    const struct error *e;

    if ((e = backup_find(c, &b)))
        return e;
    if (b.type == BACKUP_SYSTEM)
        return error_validation(c->arena,
                                "Invalid Request: User is not allowed to delete the system backup "
                                "with arn %.*s. It will automatically expire on %s",
                                SPAN_ARG(wire_text(wire_get(c->body, "BackupArn"))),
                                date_extended(c->arena, b.expires_ms));
    if ((e = check_free(c, &b, "table")) || (e = put_whole(c, &b, BACKUP_DELETED)))
        return e;
    return backup_remove(c, &b);
}

const struct op op_delete_backup = {
    .name = "DeleteBackup",
    .access = OP_WRITES,
    .members = WIRE_MEMBERS({"BackupArn", &arn_shape, WIRE_REQUIRED}),
    .run = delete_backup,
};

static const struct error *restore_table(struct call *c)
{
    const struct error *e;
    struct backup b;

    if ((e = backup_find(c, &b)) || (e = restore_check_target(c)) ||
        (e = check_free(c, &b, "another table")))
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
    .members = WIRE_MEMBERS(/* same bounds; an ARN is no name here */
                            {"TargetTableName", &wire_index_name, WIRE_REQUIRED},
                            {"BackupArn", &arn_shape, WIRE_REQUIRED}, RESTORE_SPEC_OVERRIDES),
    .table_use = SCHEMA_RESTORE,
    .run = restore_table,
};

/* --- lists ------------------------------------------------------------------------------------ */

static const struct wire_shape backup_type = {.type = WIRE_STRING, .values = backup_types};

/* The request. */
struct backup_list {
    struct span table; /* "": all tables */
    int64_t from_ms, until_ms;
    struct backup_place after;
    bool has_after;
    enum backup_type type;
    int64_t limit;
};

static const struct error *read_cursor(struct call *c, struct backup_list *list)
{
    struct span text = wire_text(wire_get(c->body, "ExclusiveStartBackupArn"));
    struct arn arn;

    if (!text.at)
        return NULL;
    if (!backup_parse_arn(text, &arn, &list->after))
        return error_caused(
            c->arena, ERROR_VALIDATION,
            ERROR_WHY(CAUSE_ARN_KIND,
                      .place = wire_text(wire_get(c->body, "ExclusiveStartBackupArn")),
                      .beside = SPAN_LIT("arn:aws:dynamodb:REGION:ACCOUNT:table/NAME/backup/ID")),
            "Invalid Backup ARN");
    if (!span_equal(arn.region, op_region(c)))
        return error_validation(c->arena, "Invalid Request: The supplied ExclusiveStartBackupArn "
                                          "does not match the region");
    list->has_after = true;
    return NULL;
}

static bool is_listed(struct call *c, const struct backup_list *list, const struct store_row *row,
                      struct backup *b)
{
    if (list->table.len && !span_equal(backup_row_table(row), list->table))
        return false;
    if (!backup_decode(c, row, b))
        return false;
    if (!backup_is_over(c, b) && span_equal(b->table->region, c->region) &&
        (list->type == BACKUP_ALL || list->type == b->type))
        return true;
    arena_free(b->table->arena);
    return false;
}

/* Writes the page. A backup beyond the limit shows that there is another page. The arena is reset
 * after each row that is not listed. */
static const struct error *put_page(struct call *c, const struct backup_list *list,
                                    struct cursor *cursor)
{
    struct span last = {NULL, 0};
    struct store_row row;
    const struct error *e;
    int64_t count = 0;
    struct backup b;

    while (!(e = cursor_next(cursor, &row)) && row.found) {
        struct arena_mark mark = arena_mark(c->arena);
        struct wire_writer *w = &c->reply;

        if (backup_row_time(&row) >= list->until_ms)
            break;
        if (!is_listed(c, list, &row, &b)) {
            arena_release(c->arena, mark);
            continue;
        }
        if (count++ == list->limit)
            break;
        wire_open(w, '{');
        wire_put_member_text(w, "TableName", b.table->name);
        wire_put_member_text(w, "TableId", b.table->uuid);
        wire_put_member_text(w, "TableArn",
                             table_arn(c, b.table->name, "", (struct span){NULL, 0}));
        put_common(c, &b, status_of(c, &b));
        wire_close(w, '}');
        last = backup_arn(c, &b);
    }
    wire_close(&c->reply, ']');
    if (!e && count > list->limit)
        wire_put_member_text(&c->reply, "LastEvaluatedBackupArn", last);
    return e;
}

static const struct error *list_backups(struct call *c)
{
    struct backup_list list = {.has_after = false};
    struct store_range range;
    struct cursor *cursor;
    const struct error *e;
    const wire_node *lower, *upper;

    list.limit = wire_integer(wire_get(c->body, "Limit"), LIMIT_BACKUPS_PAGE);
    list.type = (enum backup_type)names_find(
        backup_types, wire_text(wire_get(c->body, "BackupType")), BACKUP_USER);
    if ((e = table_name_read(c, wire_text(wire_get(c->body, "TableName")), &list.table)))
        return e;
    lower = wire_get(c->body, "TimeRangeLowerBound");
    upper = wire_get(c->body, "TimeRangeUpperBound");
    list.from_ms = wire_time(lower, 0);
    list.until_ms = wire_time(upper, INT64_MAX);
    if (lower && upper && list.from_ms > list.until_ms)
        return error_parameter(c->arena, "Time range lower bound must be less than or equal to "
                                         "upper bound");
    if (list.from_ms < 0)
        list.from_ms = 0;
    if ((e = read_cursor(c, &list)))
        return e;
    range = backup_range(c, list.from_ms, list.has_after ? &list.after : NULL);
    cursor = cursor_open(c->unit, range);
    wire_open_member(&c->reply, "BackupSummaries", '[');
    e = put_page(c, &list, cursor);
    cursor_close(cursor);
    return e;
}

static const struct op_paging paging = {
    "ExclusiveStartBackupArn", "LastEvaluatedBackupArn", "Limit", {"BackupSummaries"}, NULL};

const struct op op_list_backups = {
    .name = "ListBackups",
    .paging = &paging,
    .members = WIRE_MEMBERS(
        {"TableName", &wire_table_name, WIRE_OPTIONAL},
        {"Limit", WIRE_SHAPE(WIRE_INTEGER, WIRE_BOUNDS(1, LIMIT_BACKUPS_PAGE)), 0},
        {"TimeRangeLowerBound", &wire_timestamp, 0}, {"TimeRangeUpperBound", &wire_timestamp, 0},
        {"ExclusiveStartBackupArn", &arn_shape, 0}, {"BackupType", &backup_type, 0}),
    .run = list_backups,
};
