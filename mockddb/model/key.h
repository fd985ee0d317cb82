/* key.h: items' positions as byte strings whose memcmp order is the service's order.
 *
 *   entry key = space (4 bytes, big-endian) | hash of the partition (4 bytes, big-endian)
 *             | partition attributes | sort attributes | for index entries: the primary key
 *
 * Each attribute is escaped (00 → 00 FF) and ended by 00 00, so that no value's key is a prefix
 * of another's and order is kept: S as UTF-8, B as bytes, N in its order-preserving form. A
 * partition is one contiguous run in sort order; a whole space runs in hash order, which is the
 * order of Scan; a Scan segment is a range of hashes. */
#pragma once

#include "model/schema.h"

/* Spaces that belong to no table; tables, indexes and streams get theirs from the store. */
enum key_reserved_space {
    KEY_SPACE_TOKENS = 1,  /* idempotency tokens of transactions */
    KEY_SPACE_STREAMS = 2, /* descriptions of streams, open and closed */
    KEY_SPACE_BACKUPS = 3, /* descriptions of backups */
    KEY_SPACE_COPIES = 4,  /* copies of spaces in progress */
    KEY_SPACE_OUTBOX = 5,  /* records on their way to Kinesis streams */
    KEY_SPACE_EXPORTS = 6, /* descriptions of exports, imports … */
    KEY_SPACE_IMPORTS = 7,
    KEY_SPACE_BULK_PUTS = 8,  /* … and bulk puts, consecutive (ops/transfer/task.h) */
    KEY_SPACE_LOG_HOLDS = 9,  /* logs kept longer (ops/backup/recovery_log.h) */
    KEY_SPACE_SCALING = 10,   /* targets and policies of application auto scaling */
    KEY_SPACE_SCHEDULES = 11, /* … and its scheduled actions */
    KEY_SPACE_METRICS = 12,   /* counts of processes (ops/metrics/metrics_stored.h) */
    KEY_FIRST_SPACE = 16      /* the first space that is assigned to tables */
};

#define KEY_SPACE_LEN  4
#define KEY_PREFIX_LEN 8 /* space and hash */

/* The position of an item in its table. The item must hold the key attributes. */
void key_of_item(struct buf *out, const struct table *t, const struct item *it);

/* The position of an item's entry in an index; returns false and appends nothing if the item is not
 * in the index (an index key attribute is absent, of another type, empty or too long; for vector
 * indexes see model/vector.h). */
bool key_of_entry(struct buf *out, const struct table *t, const struct index *ix,
                  const struct item *it);

/* Decodes an entry key to a LastEvaluatedKey: the attributes of the table's key, then those of the
 * index's key (ix NULL: an item of the table), each once. Borrows from `key`. */
struct item key_read(struct arena *a, const struct table *t, const struct index *ix,
                     struct span key);

/* Begins a partition: space, hash and the partition attributes, in schema order. */
void key_of_partition(struct buf *out, uint32_t space, const struct attr *const *hash,
                      size_t count);

/* The part of an entry key that the entries of its partition share. */
struct span key_partition(const struct key_schema *keys, struct span key);

/* Appends one whole sort attribute (escaped and ended) … */
void key_add_part(struct buf *out, const struct attr *value);
/* … or the beginning of one: a prefix of every S or B value that begins with `value`. */
void key_add_prefix(struct buf *out, const struct attr *value);

/* Turns a position into the first one after all positions that begin with it; false if all
 * its bytes are FF. */
bool key_next(struct buf *position);

/* Only the space, or the space with the lowest hash of Scan segment `segment` of `total` (segment
 * == total gives the end of the last). */
void key_of_space(struct buf *out, uint32_t space);
void key_of_segment(struct buf *out, uint32_t space, uint32_t segment, uint32_t total);

/* The partition hash in an entry key, and the segment of `total` that contains it. */
uint32_t key_hash(struct span key);
uint32_t key_segment(struct span key, uint32_t total);
