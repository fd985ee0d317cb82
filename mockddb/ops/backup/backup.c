#include "ops/backup/backup.h"

#include "base/damaged.h"
#include "model/schema_members.h"
#include "ops/table/table_size.h"
#include "store/space_copy.h"

#include <stddef.h>

#define TIME_LEN 8 /* in a key */

#define AT(member) .name = #member, .offset = offsetof(struct backup, member)

const char *const backup_types[] = {
    [BACKUP_USER] = "USER",
    [BACKUP_SYSTEM] = "SYSTEM",
    [BACKUP_AWS] = "AWS_BACKUP",
    [BACKUP_ALL] = "ALL",
    NULL,
};

/* The stored members of a backup. */
static const struct schema_member members[] = {
    {.kind = SCHEMA_TEXT, AT(name)},
    {.kind = SCHEMA_ENUM, AT(type), .words = backup_types},
    {.kind = SCHEMA_TEXT, AT(suffix)},
    {.kind = SCHEMA_INT, AT(created_ms)},
    {.kind = SCHEMA_INT, AT(ready_ms)},
    {.kind = SCHEMA_INT, AT(expires_ms)},
    {.kind = SCHEMA_INT, AT(items)},
    {.kind = SCHEMA_INT, AT(bytes)},
    {.kind = SCHEMA_WORD, AT(space)},
    {.kind = SCHEMA_TEXT, AT(source)},
    {.name = NULL},
};
static const struct schema_shape shape = {sizeof(struct backup), members};

/* --- ARNs ------------------------------------------------------------------------------------- */

struct span backup_arn(const struct call *c, const struct backup *b)
{
    return table_arn(c, b->table->name, "/backup/", table_arn_moment(c, b->created_ms, b->suffix));
}

bool backup_parse_arn(struct span text, struct arn *arn, struct backup_place *out)
{
    static const struct span kind = SPAN_LIT_INIT("/backup/");

    if (!table_arn_parse(text, arn) || !span_is(arn->service, "dynamodb") || !arn->table.len ||
        !span_starts_with(arn->rest, kind) ||
        !table_arn_parse_moment(span_from(arn->rest, kind.len), &out->created_ms, &out->suffix))
        return false;
    out->table = arn->table;
    return true;
}

/* --- keys and rows ---------------------------------------------------------------------------- */

static struct span key_at(struct call *c, int64_t created_ms, struct span table, struct span suffix)
{
    struct buf key = buf_in(c->arena);

    key_of_space(&key, KEY_SPACE_BACKUPS);
    buf_add_big_endian(&key, (uint64_t)created_ms, TIME_LEN);
    if (table.len) {
        buf_add_span(&key, table);
        buf_add_char(&key, '/');
        buf_add_span(&key, suffix);
    }
    return buf_span(&key);
}

struct store_range backup_range(struct call *c, int64_t from_ms, const struct backup_place *after)
{
    struct store_range range = cursor_range(c->arena, KEY_SPACE_BACKUPS);

    if (after && after->created_ms >= from_ms)
        range.low = cursor_key_behind(c->arena,
                                      key_at(c, after->created_ms, after->table, after->suffix));
    else
        range.low = key_at(c, from_ms, (struct span){NULL, 0}, (struct span){NULL, 0});
    return range;
}

struct span backup_row_table(const struct store_row *row)
{
    struct span rest = damaged_from(row->key, KEY_SPACE_LEN + TIME_LEN);

    return (struct span){
        rest.at, rest.len > TABLE_ARN_SUFFIX_DIGITS ? rest.len - TABLE_ARN_SUFFIX_DIGITS - 1 : 0};
}

int64_t backup_row_time(const struct store_row *row)
{
    return (int64_t)damaged_big_endian(row->key, KEY_SPACE_LEN, TIME_LEN);
}

bool backup_decode(struct call *c, const struct store_row *row, struct backup *out)
{
    *out = (struct backup){.table = NULL};
    return schema_members_read(c->arena, &shape, row->body, out) &&
           (out->table = schema_decode(c->arena, out->source));
}

bool backup_is_over(const struct call *c, const struct backup *b)
{
    return b->expires_ms && b->expires_ms <= clock_now_ms(c->clock);
}

static const struct error *get_row(struct call *c, const struct backup *b, struct store_row *row)
{
    return unit_get(c->unit, key_at(c, b->created_ms, b->table->name, b->suffix), row);
}

/* --- life ------------------------------------------------------------------------------------- */

/* Fills in a new backup of the table, except for its space. *row is its row, not yet written. */
static const struct error *snapshot_table(struct call *c, const struct table *t, struct backup *b,
                                          struct store_row *row)
{
    struct space_stats stats;
    const struct error *e = table_size(c->unit, t, &stats);

    if (e)
        return e;
    b->items = stats.entries;
    b->bytes = stats.bytes;
    b->created_ms = clock_now_ms(c->clock);
    b->source = schema_encode(c->arena, t);
    b->table = t;
    while (!(e = get_row(c, b, row)) && row->found)
        b->created_ms++;
    return e;
}

static const struct error *put_row(struct call *c, const struct backup *b, struct store_row *row)
{
    struct span body = schema_members_write(c->arena, &shape, b);

    return unit_put(c->unit, row, body.len, body);
}

const struct error *backup_begin(struct call *c, const struct table *t, struct span name,
                                 struct backup *out)
{
    struct store_row row;
    const struct error *e;
    uint32_t random;
    bool more;

    clock_random(c->clock, &random, sizeof random);
    *out = (struct backup){.name = name, .type = BACKUP_USER};
    out->suffix = span_of(arena_printf(c->arena, "%08x", random));
    out->ready_ms = op_transition_end(c);
    if ((e = snapshot_table(c, t, out, &row)) ||
        (e = space_copy_begin(c->unit, t->space, &out->space)) ||
        (e = space_copy_step(c->unit, out->space, &more)))
        return e;
    if (more)
        op_wake(c, WAKE_COPY, clock_now_ms(c->clock));
    return put_row(c, out, &row);
}

const struct error *backup_take_over(struct call *c, const struct table *t)
{
    struct backup b = {.type = BACKUP_SYSTEM, .suffix = SPAN_LIT("00000000"), .space = t->space};
    struct store_row row;
    const struct error *e;

    b.name = span_of(arena_printf(c->arena, "%.*s$DeletedTableBackup", SPAN_ARG(t->name)));
    if ((e = snapshot_table(c, t, &b, &row)))
        return e;
    b.expires_ms = b.created_ms + LIMIT_SYSTEM_BACKUP_MS;
    op_wake(c, WAKE_LAPSE, b.expires_ms);
    return put_row(c, &b, &row);
}

const struct error *backup_remove(struct call *c, const struct backup *b)
{
    struct store_row row;
    const struct error *e;

    if ((e = op_wake_drop_space(c, b->space)) || (e = get_row(c, b, &row)) || !row.found)
        return e;
    return unit_delete(c->unit, &row);
}

bool backup_is_available(const struct call *c, const struct backup *b)
{
    return !space_copy_fills(c->store, b->space) && b->ready_ms <= clock_now_ms(c->clock);
}

const struct error *backup_find(struct call *c, struct backup *out)
{
    struct backup_place place = {.created_ms = 0};
    struct store_row row;
    const struct error *e;
    struct arn arn;

    /* Parses BackupArn of the request. */
    if (!backup_parse_arn(wire_text(wire_get(c->body, "BackupArn")), &arn, &place))
        return error_caused(
            c->arena, ERROR_VALIDATION,
            ERROR_WHY(CAUSE_ARN_KIND, .place = wire_text(wire_get(c->body, "BackupArn")),
                      .beside = SPAN_LIT("arn:aws:dynamodb:REGION:ACCOUNT:table/NAME/backup/ID")),
            "Invalid Backup ARN");
    if (!span_is(arn.partition, "aws") || !span_equal(arn.region, op_region(c)))
        return error_caused(
            c->arena, ERROR_VALIDATION,
            ERROR_WHY(CAUSE_ARN_ELSEWHERE, .operand = arn.region, .beside = op_region(c)),
            "Invalid Request: BackupArn is not valid");
    if (!span_equal(arn.account, c->settings->account))
        return error_caused(
            c->arena, ERROR_ACCESS_DENIED,
            ERROR_WHY(CAUSE_ARN_ELSEWHERE, .operand = arn.account, .beside = c->settings->account),
            "Access is denied");
    if ((e = unit_get(c->unit, key_at(c, place.created_ms, place.table, place.suffix), &row)))
        return e;
    if (row.found && backup_decode(c, &row, out) && !backup_is_over(c, out) &&
        span_equal(out->table->region, c->region))
        return NULL;
    return error_new(c->arena, ERROR_BACKUP_NOT_FOUND, "Backup not found: %.*s",
                     SPAN_ARG(wire_text(wire_get(c->body, "BackupArn"))));
}
