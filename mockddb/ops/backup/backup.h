/* backup.h: stored backups. Each is a row with its description and a space with its items.
 *
 * A backup shares nothing with its table and outlives it. All descriptions are in one space, in
 * order of time:
 *
 *   key = KEY_SPACE_BACKUPS | creation (8 bytes, big-endian, ms) | table name | "/" | suffix
 *
 * Its items are copied between requests (store/space_copy.h). Source: developer guide, "Backup and
 * restore for DynamoDB"; docs/behaviour/backups.md. */
#pragma once

#include "ops/table/table_arn.h"
#include "store/cursor.h"

/* The last two only occur in requests: no backup here is made by AWS Backup. */
enum backup_type { BACKUP_USER, BACKUP_SYSTEM, BACKUP_AWS, BACKUP_ALL };
extern const char *const backup_types[];

struct backup {
    struct span name;
    enum backup_type type;
    struct span suffix;        /* the end of its ARN: 8 hexadecimal digits */
    int64_t created_ms;        /* also part of its ARN */
    int64_t ready_ms;          /* the earliest end of CREATING; the copy must be done, too */
    int64_t expires_ms;        /* it is deleted then; 0: never */
    int64_t items, bytes;      /* at its creation */
    uint32_t space;            /* its items, in the form of a table's space */
    struct span source;        /* the table at its creation, in catalog form */
    const struct table *table; /* source decoded; not stored */
};

/* --- ARNs ------------------------------------------------------------------------------------- */

/* Returns the backup's ARN, in the call's arena. */
struct span backup_arn(const struct call *c, const struct backup *b);

/* The position of a backup in the order of all backups, from its ARN. The backup need not exist. */
struct backup_place {
    struct span table, suffix;
    int64_t created_ms;
};

/* Parses a backup's ARN; false for other texts. */
bool backup_parse_arn(struct span text, struct arn *arn, struct backup_place *out);

/* --- life ------------------------------------------------------------------------------------- */

/* Begins a backup of a table. Its creation time is now, or the next millisecond that gives it an
 * ARN of its own. */
MUST_CHECK const struct error *backup_begin(struct call *c, const struct table *t, struct span name,
                                            struct backup *out);

/* Makes the system's backup of a table that is being removed. It takes over the table's space and
 * is deleted after 35 days. */
MUST_CHECK const struct error *backup_take_over(struct call *c, const struct table *t);

/* Removes a backup and its items. */
MUST_CHECK const struct error *backup_remove(struct call *c, const struct backup *b);

/* Whether its items are copied and its time of CREATING is over. */
bool backup_is_available(const struct call *c, const struct backup *b);

/* --- looking up ------------------------------------------------------------------------------- */

/* Finds the backup that the request's BackupArn names: "Backup not found: …". */
MUST_CHECK const struct error *backup_find(struct call *c, struct backup *out);

/* The range of all backups from a time on that come after `after` (NULL: all of them). Read its
 * rows with backup_decode. */
struct store_range backup_range(struct call *c, int64_t from_ms, const struct backup_place *after);

/* False if the row is damaged. */
bool backup_decode(struct call *c, const struct store_row *row, struct backup *out);

/* Whether the backup has expired; requests must not see it then. */
bool backup_is_over(const struct call *c, const struct backup *b);

/* The table's name and the creation time, from the key of a row. */
struct span backup_row_table(const struct store_row *row);
int64_t backup_row_time(const struct store_row *row);
