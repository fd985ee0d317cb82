#include "ops/backup/backup_describe.h"

#include "ops/table/table_arn.h"
#include "ops/table/table_describe.h"

static const char *const statuses[] = {
    [BACKUP_CREATING] = "CREATING",
    [BACKUP_AVAILABLE] = "AVAILABLE",
    [BACKUP_DELETED] = "DELETED",
};

enum backup_status backup_describe_status(const struct call *c, const struct backup *b)
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

void backup_describe_details(struct call *c, const struct backup *b, enum backup_status status)
{
    wire_open_member(&c->reply, "BackupDetails", '{');
    put_common(c, b, status);
    wire_close(&c->reply, '}');
}

void backup_describe_summary(struct call *c, const struct backup *b)
{
    struct wire_writer *w = &c->reply;

    wire_open(w, '{');
    wire_put_member_text(w, "TableName", b->table->name);
    wire_put_member_text(w, "TableId", b->table->uuid);
    wire_put_member_text(w, "TableArn", table_arn(c, b->table->name, "", (struct span){NULL, 0}));
    put_common(c, b, backup_describe_status(c, b));
    wire_close(w, '}');
}

/* --- the source ------------------------------------------------------------------------------- */

static void put_source(struct call *c, const struct backup *b)
{
    struct wire_writer *w = &c->reply;
    const struct table *t = b->table;

    wire_open_member(w, "SourceTableDetails", '{');
    wire_put_member_text(w, "TableName", t->name);
    wire_put_member_text(w, "TableId", t->uuid);
    wire_put_member_text(w, "TableArn", table_arn(c, t->name, "", (struct span){NULL, 0}));
    wire_put_member_integer(w, "TableSizeBytes", b->bytes);
    table_describe_keys(w, &t->keys);
    wire_put_member_time(w, "TableCreationDateTime", t->created_ms);
    table_describe_throughput(c, &t->throughput, TABLE_BACKED_UP);
    table_describe_on_demand(w, t->on_demand_limits);
    wire_put_member_integer(w, "ItemCount", b->items);
    wire_put_member_word(w, "BillingMode", names_billing_modes[t->on_demand]);
    wire_close(w, '}');
}

static void put_features(struct call *c, const struct table *t)
{
    struct wire_writer *w = &c->reply;

    wire_open_member(w, "SourceTableFeatureDetails", '{');
    table_describe_indexes(c, t, TABLE_BACKED_UP);
    table_describe_stream_view(w, "StreamDescription", t);
    if (t->ttl_attribute.len) {
        wire_open_member(w, "TimeToLiveDescription", '{');
        wire_put_member_word(w, "TimeToLiveStatus", names_on_off[true]);
        wire_put_member_text(w, "AttributeName", t->ttl_attribute);
        wire_close(w, '}');
    }
    table_describe_encryption(w, t);
    wire_close(w, '}');
}

void backup_describe_whole(struct call *c, const struct backup *b, enum backup_status status)
{
    wire_open_member(&c->reply, "BackupDescription", '{');
    backup_describe_details(c, b, status);
    put_source(c, b);
    put_features(c, b->table);
    wire_close(&c->reply, '}');
}
