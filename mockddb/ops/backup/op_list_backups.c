#include "model/limits.h"
#include "ops/backup/backup_describe.h"
#include "ops/op_region.h"
#include "ops/table/table_name.h"

static const struct wire_shape page_limit = {.type = WIRE_INTEGER,
                                             WIRE_BOUNDS(1, LIMIT_BACKUPS_PAGE)};
static const struct wire_shape timestamp = {.type = WIRE_TIMESTAMP};
static const struct wire_shape backup_type = {.type = WIRE_STRING, .values = backup_types};

static const struct wire_member list_backups_members[] = {
    {"TableName", &wire_table_name, WIRE_OPTIONAL},
    {"Limit", &page_limit, 0},
    {"TimeRangeLowerBound", &timestamp, 0},
    {"TimeRangeUpperBound", &timestamp, 0},
    {"ExclusiveStartBackupArn", &backup_arn_shape, 0},
    {"BackupType", &backup_type, 0},
    {NULL, NULL, 0},
};

/* The request. */
struct backup_list {
    struct span table; /* "": all tables */
    int64_t from_ms, until_ms;
    struct backup_place after;
    bool has_after;
    enum backup_type type;
    int64_t limit;
};

static const struct error *read_range(struct call *c, struct backup_list *list)
{
    const wire_node *lower = wire_get(c->body, "TimeRangeLowerBound");
    const wire_node *upper = wire_get(c->body, "TimeRangeUpperBound");

    list->from_ms = wire_time(lower, 0);
    list->until_ms = wire_time(upper, INT64_MAX);
    if (lower && upper && list->from_ms > list->until_ms)
        return error_parameter(c->arena, "Time range lower bound must be less than or equal to "
                                         "upper bound");
    if (list->from_ms < 0)
        list->from_ms = 0;
    return NULL;
}

static const struct error *read_cursor(struct call *c, struct backup_list *list)
{
    struct span arn = wire_text(wire_get(c->body, "ExclusiveStartBackupArn")), region;

    if (!arn.at)
        return NULL;
    if (!backup_parse_arn(arn, &list->after, &region))
        return error_validation(c->arena, "Invalid Backup ARN");
    if (!span_equal(region, op_region(c)))
        return error_validation(c->arena, "Invalid Request: The supplied ExclusiveStartBackupArn "
                                          "does not match the region");
    list->has_after = true;
    return NULL;
}

static const struct error *read_request(struct call *c, struct backup_list *list)
{
    const struct error *e;

    list->limit = wire_integer(wire_get(c->body, "Limit"), LIMIT_BACKUPS_PAGE);
    list->type = (enum backup_type)names_find(
        backup_types, wire_text(wire_get(c->body, "BackupType")), BACKUP_USER);
    if ((e = table_name_read(c, wire_text(wire_get(c->body, "TableName")), &list->table)) ||
        (e = read_range(c, list)))
        return e;
    return read_cursor(c, list);
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

        if (backup_row_time(&row) >= list->until_ms)
            break;
        if (!is_listed(c, list, &row, &b)) {
            arena_release(c->arena, mark);
            continue;
        }
        if (count++ == list->limit)
            break;
        backup_describe_summary(c, &b);
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

    if ((e = read_request(c, &list)))
        return e;
    range = backup_range(c, list.from_ms, list.has_after ? &list.after : NULL);
    if ((e = cursor_open(c->unit, &range, &cursor)))
        return e;
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
    .members = list_backups_members,
    .run = list_backups,
};
