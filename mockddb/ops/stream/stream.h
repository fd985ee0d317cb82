/* stream.h: change streams: what is known of each, their records, their shards and positions.
 *
 * A stream is a space of records (model/key.h) and an entry that describes it, which outlives its
 * table: a closed stream stays readable for a day. A record's key is its shard and a number that
 * grows over the whole server; the sequence number that clients see is made from it. An item's
 * records all lie in the shard of its partition's hash. Source: developer guide, "Change data
 * capture for DynamoDB Streams"; docs/behaviour/streams.md. */
#ifndef OPS_STREAM_H
#define OPS_STREAM_H

#include "ops/op.h"
#include "store/cursor.h"

struct stream {
    struct span place; /* what the store knows it by: its ARN when it was opened */
    struct span arn;
    struct span region; /* of its table: "" in the default one */
    struct span label;
    struct span table_name;
    struct key_schema keys;
    enum stream_view view;
    uint32_t space;
    uint32_t shards;
    int64_t created_ms;
    int64_t closed_ms;     /* 0: open */
    uint64_t first_number; /* all its records have greater numbers … */
    uint64_t last_number;  /* … and, once it is closed, none a greater one than this */
};

/* --- life ----------------------------------------------------------------------------------- */

/* Describes the stream that a table draft has just been given (label, view, space). */
MUST_CHECK const struct error *stream_open(struct call *c, const struct table *t);

/* Closes the table's stream, if one is open: switched off, or the table is gone. */
MUST_CHECK const struct error *stream_close(struct call *c, const struct table *t);

/* Drops a closed stream and its records. */
MUST_CHECK const struct error *stream_forget(struct call *c, const struct stream *s);

/* --- records -------------------------------------------------------------------------------- */

/* --- lookup --------------------------------------------------------------------------------- */

/* Whether records of that moment can still be read: for 24 hours of the world's clock, whenever the
 * trim job deletes them; for ever on a read-only server, where nothing ends. A stream that was
 * closed 24 hours ago is gone in the same way. Source: developer guide, "Change data capture for
 * DynamoDB Streams": "All data in DynamoDB Streams is subject to a 24-hour lifetime". */
bool stream_keeps(const struct call *c, int64_t moment_ms);

/* Whether the stream was closed so long ago that requests no longer find it. */
bool stream_is_over(const struct call *c, const struct stream *s);

/* The stream with that ARN, also one that is over; *found is false when there is none. */
MUST_CHECK const struct error *stream_find(struct call *c, struct span arn, struct stream *out,
                                           bool *found);

/* The first stream after a place (len 0: the first of all) in byte order, of the table `table`
 * (len 0: of any), also one that is over; *found is false at the end. */
MUST_CHECK const struct error *stream_after(struct call *c, struct span place, struct span table,
                                            struct stream *out, bool *found);

/* What a row of KEY_SPACE_STREAMS describes; false for what cannot be read. */
bool stream_decode(struct call *c, const struct store_row *row, struct stream *out);

/* "shardId-" and 28 characters more; and which shard has that id, or the number of shards. */
struct span stream_shard_id(struct call *c, const struct stream *s, uint32_t shard);
uint32_t stream_find_shard(struct call *c, const struct stream *s, struct span id);

/* 21 digits; and back (false for other text). */
struct span stream_sequence(struct call *c, uint64_t number);
bool stream_number(struct span sequence, uint64_t *out);

/* The entry key of a shard's record with that number. */
struct span stream_record_key(struct call *c, const struct stream *s, uint32_t shard,
                              uint64_t number);
/* The shard's records from `number` on. */
struct store_range stream_record_range(struct call *c, const struct stream *s, uint32_t shard,
                                       uint64_t number);

/* The parts of a stored record. */
struct stream_record {
    uint64_t number;
    int64_t created_ms;
    struct span json; /* as GetRecords shows it */
};
struct stream_record stream_read_record(const struct store_row *row);

/* Whether an entry that anybody may have written is one of the stream's records: it is in its
 * shard, its number is the stream's, and its JSON shows that number and items with its key. */
bool stream_record_is_sound(struct call *c, const struct stream *s, const struct store_row *row);

/* What was read: a record that is still kept, the end, or as many old ones as a request may pass:
 * *out is the last of them then. */
enum stream_next { STREAM_RECORD, STREAM_END, STREAM_OLD };

/* Bytes of old records that a request may pass on its way to those that are kept. */
#define STREAM_ROOM ((int64_t)4 * LIMIT_MB)

/* Reads on to the cursor's next record that is still kept. *room: what is left of STREAM_ROOM. */
MUST_CHECK const struct error *stream_next_record(struct call *c, struct cursor *cursor,
                                                  int64_t *room, struct stream_record *out,
                                                  enum stream_next *next);

/* --- what requests name ----------------------------------------------------------------------- */

/* Whether the text has the form of a stream's ARN. */
bool stream_is_arn(struct span text);

/* "Invalid StreamArn" where it has not. */
MUST_CHECK const struct error *stream_check_arn(struct call *c, struct span arn);

/* The stream that `arn` names: "Invalid StreamArn", or "Requested resource not found: Stream: …" */
MUST_CHECK const struct error *stream_of_arn(struct call *c, struct span arn, struct stream *out);

/* "Requested resource not found: Shard does not exist" */
MUST_CHECK const struct error *stream_shard_not_found(struct arena *a);

/* "The data you are trying to access has been trimmed": records that are no longer kept. */
MUST_CHECK const struct error *stream_trimmed(struct arena *a);

#endif
