/* key.h: items' positions as byte strings whose memcmp order is the service's order.
 *
 *   entry key = space (4 bytes, big-endian) | hash of the partition (4 bytes, big-endian)
 *             | partition attributes | sort attributes | for index entries: the primary key
 *
 * Each attribute is escaped (00 → 00 FF) and ended by 00 00, so that no value's key is a prefix
 * of another's and order is kept: S as UTF-8, B as bytes, N in its order-preserving form. A
 * partition is one contiguous run in sort order; a whole space runs in hash order, which is the
 * order of Scan; a Scan segment is a range of hashes. */
#ifndef MODEL_KEY_H
#define MODEL_KEY_H

#include "base/buf.h"
#include "model/schema.h"

/* Spaces that belong to no table; tables, indexes and streams get theirs from the store. */
enum key_reserved_space {
    KEY_SPACE_TOKENS = 1,  /* idempotency tokens of transactions */
    KEY_SPACE_STREAMS = 2, /* what is known of streams, open and closed */
    KEY_SPACE_BACKUPS = 3, /* what is known of backups */
    KEY_SPACE_COPIES = 4,  /* copies of spaces that are under way */
    KEY_SPACE_OUTBOX = 5,  /* records on their way to Kinesis streams */
    KEY_SPACE_EXPORTS = 6, /* what is known of exports, imports … */
    KEY_SPACE_IMPORTS = 7,
    KEY_SPACE_BULK_PUTS = 8,  /* … and bulk puts, one behind another (ops/transfer/task.h) */
    KEY_SPACE_LOG_HOLDS = 9,  /* logs that are needed longer (ops/backup/recovery_log.h) */
    KEY_SPACE_SCALING = 10,   /* targets and policies of application auto scaling */
    KEY_SPACE_SCHEDULES = 11, /* … and its scheduled actions */
    KEY_FIRST_SPACE = 16      /* the first that is given out */
};

#define KEY_SPACE_LEN  4
#define KEY_PREFIX_LEN 8 /* space and hash */

/* Position of an item in its table. The item must hold the key attributes. */
void key_of_item(struct buf *out, const struct table *t, const struct item *it);

/* Position of an item's entry in an index; false, and nothing appended, when the item is not in
 * the index (an index key attribute is absent, of another type or empty, or they are too long;
 * model/vector.h says it of vector indexes). */
bool key_of_entry(struct buf *out, const struct table *t, const struct index *ix,
                  const struct item *it);

/* Back from an entry key: a LastEvaluatedKey, which has the attributes of the table's key, then
 * those of the index's (ix NULL: an item of the table), each once. Borrows from `key`. */
struct item key_read(struct arena *a, const struct table *t, const struct index *ix,
                     struct span key);

/* Begins a partition: space, hash and the partition attributes, in schema order. */
void key_of_partition(struct buf *out, uint32_t space, const struct attr *const *hash,
                      size_t count);

/* Appends one whole sort attribute (escaped and ended) … */
void key_add_part(struct buf *out, const struct attr *value);
/* … or the beginning of one: what every S or B value with that prefix begins with. */
void key_add_prefix(struct buf *out, const struct attr *value);

/* Turns a position into the first one after everything that begins with it; false when there
 * is none (all bytes FF). */
bool key_next(struct buf *position);

/* Only the space, or the space with the lowest hash of Scan segment `segment` of `total`
 * (segment == total gives the end of the last). */
void key_of_space(struct buf *out, uint32_t space);
void key_of_segment(struct buf *out, uint32_t space, uint32_t segment, uint32_t total);

/* The hash of its partition that an entry key holds, and the segment of `total` that it lies in. */
uint32_t key_hash(struct span key);
uint32_t key_segment(struct span key, uint32_t total);

#endif
