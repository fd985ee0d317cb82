/* backup.h: backups as they are kept: what is known of each, and a space with its items.
 *
 * A backup outlives its table and has nothing in common with it. What is known of all of them is
 * one space, in the order of their times:
 *
 *   key = KEY_SPACE_BACKUPS | creation (8 bytes, big-endian, ms) | table name | "/" | suffix
 *
 * Its items are copied between requests (store/space_copy.h). Source: developer guide, "Backup and
 * restore for DynamoDB"; docs/behaviour/backups.md. */
#ifndef OPS_BACKUP_H
#define OPS_BACKUP_H

#include "ops/op.h"
#include "store/cursor.h"

/* The last two are kinds that may be asked for: there are none of AWS Backup's here. */
enum backup_type { BACKUP_USER, BACKUP_SYSTEM, BACKUP_AWS, BACKUP_ALL };
extern const char *const backup_types[];

struct backup {
    struct span name;
    enum backup_type type;
    struct span suffix;        /* what ends its ARN: 8 hexadecimal digits */
    int64_t created_ms;        /* also part of its ARN */
    int64_t ready_ms;          /* CREATING ends then, if the copy is done */
    int64_t expires_ms;        /* it goes by itself then; 0: never */
    int64_t items, bytes;      /* when it began */
    uint32_t space;            /* its items, as a table's own space has them */
    struct span source;        /* the table's catalog form … */
    const struct table *table; /* … and the table, as they were then; not kept */
};

/* --- ARNs ------------------------------------------------------------------------------------- */

extern const struct wire_shape backup_arn_shape; /* BackupArn, ExclusiveStartBackupArn */

/* In the call's arena. */
struct span backup_arn(const struct call *c, const struct backup *b);

/* Where a backup stands in the order of all: what its ARN says, whether or not there is one. */
struct backup_place {
    struct span table, suffix;
    int64_t created_ms;
};

/* Takes a text apart; false where it is no ARN of a backup. *region is the ARN's. */
bool backup_parse_arn(struct span arn, struct backup_place *out, struct span *region);

/* --- life ------------------------------------------------------------------------------------- */

/* Begins a backup of a table as it is now. Its time is the first from now on at which the table has
 * no backup with the same ARN. */
MUST_CHECK const struct error *backup_begin(struct call *c, const struct table *t, struct span name,
                                            struct backup *out);

/* The backup that the system makes of a table that is being removed: it takes over the table's
 * items where they are, and goes by itself after 35 days. */
MUST_CHECK const struct error *backup_take_over(struct call *c, const struct table *t);

/* Removes a backup and its items. */
MUST_CHECK const struct error *backup_remove(struct call *c, const struct backup *b);

/* BackupInUseException: "Backup is being created: ARN" */
MUST_CHECK const struct error *backup_being_created(struct call *c, struct span arn);

/* Whether its items are there and the time for it is over. */
bool backup_is_available(const struct call *c, const struct backup *b);

/* --- looking up ------------------------------------------------------------------------------- */

/* The backup that the request's BackupArn names: "Backup not found: …". */
MUST_CHECK const struct error *backup_find(struct call *c, struct backup *out);

/* All backups from a time on, and of that time those behind a place (NULL: all); rows of the range
 * are read by backup_decode. */
struct store_range backup_range(struct call *c, int64_t from_ms, const struct backup_place *after);

/* The same for a row's key (len 0: from the beginning). */
struct store_range backup_range_behind(struct call *c, struct span key);

/* False for what cannot be read. */
bool backup_decode(struct call *c, const struct store_row *row, struct backup *out);

/* Whether its time is over; it is not to be seen then. */
bool backup_is_over(const struct call *c, const struct backup *b);

/* The name of the table, and the time, in the key of a row of the range. */
struct span backup_row_table(const struct store_row *row);
int64_t backup_row_time(const struct store_row *row);

#endif
