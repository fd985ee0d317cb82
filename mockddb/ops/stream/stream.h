/* stream.h: change streams: descriptions, records, shards and positions.
 *
 * A stream is a space of records (model/key.h) and a row with its description. It outlives its
 * table: a closed stream can be read for a day. A record's key is its shard and a number that
 * increases over the whole server; the client's sequence number is made from it. All records of an
 * item are in the shard of its partition's hash. Source: developer guide, "Change data capture for
 * DynamoDB Streams"; docs/behaviour/streams.md. */
#pragma once

#include "ops/op.h"
#include "store/cursor.h"

struct stream {
    struct span place; /* its key in the store: its ARN at its opening */
    struct span arn;
    struct span region; /* of its table; "": the default region */
    struct span label;
    struct span table_name;
    struct key_schema keys;
    enum stream_view view;
    uint32_t space;
    uint32_t shards;
    int64_t created_ms;
    int64_t closed_ms;     /* 0: open */
    uint64_t first_number; /* less than the number of each record */
    uint64_t last_number;  /* of a closed stream: not less than any number */
};

/* --- life ----------------------------------------------------------------------------------- */

/* Stores the description of a table draft's new stream (label, view, space). */
MUST_CHECK const struct error *stream_open(struct call *c, const struct table *t);

/* Closes the table's stream, if it is open: it was turned off, or the table is deleted. */
MUST_CHECK const struct error *stream_close(struct call *c, const struct table *t);

/* Drops a closed stream and its records. */
MUST_CHECK const struct error *stream_forget(struct call *c, const struct stream *s);

/* --- records -------------------------------------------------------------------------------- */

/* --- lookup --------------------------------------------------------------------------------- */

/* Whether records of a moment can still be read: for 24 hours of the world's clock, even if the
 * trim job has not deleted them yet, and forever on a read-only server. Closed streams end
 * likewise. Source: developer guide, "Change data capture for DynamoDB Streams": "All data in
 * DynamoDB Streams is subject to a 24-hour lifetime". */
bool stream_keeps(const struct call *c, int64_t moment_ms);

/* Whether the stream was closed so long ago that requests no longer find it. */
bool stream_is_over(const struct call *c, const struct stream *s);

/* Finds the stream with the ARN, even if it is over. */
MUST_CHECK const struct error *stream_find(struct call *c, struct span arn, struct stream *out,
                                           bool *found);

/* Finds the first stream after a place (len 0: from the beginning) in byte order, of the table
 * `table` (len 0: any), even if it is over. *found is false at the end. */
MUST_CHECK const struct error *stream_after(struct call *c, struct span place, struct span table,
                                            struct stream *out, bool *found);

/* Reads a row of KEY_SPACE_STREAMS; false if it is damaged. */
bool stream_decode(struct call *c, const struct store_row *row, struct stream *out);

/* The id of a shard, "shardId-" and 28 characters; the shard of an id, or the number of shards. */
struct span stream_shard_id(struct call *c, const struct stream *s, uint32_t shard);
uint32_t stream_find_shard(struct call *c, const struct stream *s, struct span id);

/* The sequence number of a number, 21 digits; and the number of one (false for other texts). */
struct span stream_sequence(struct call *c, uint64_t number);
bool stream_number(struct span sequence, uint64_t *out);

/* The entry key of a shard's record with a number. */
struct span stream_record_key(struct call *c, const struct stream *s, uint32_t shard,
                              uint64_t number);
/* A number that is not below the shard's last record's, and below the next one's. */
MUST_CHECK const struct error *stream_last_number(struct call *c, const struct stream *s,
                                                  uint32_t shard, uint64_t *out);
/* The shard's records from `number` on. */
struct store_range stream_record_range(struct call *c, const struct stream *s, uint32_t shard,
                                       uint64_t number);

/* The parts of a stored record. */
struct stream_record {
    uint64_t number;
    int64_t created_ms;
    struct span json; /* in the form of GetRecords */
};
struct stream_record stream_read_record(const struct store_row *row);

/* Whether a row of a foreign snapshot is a valid record of the stream: its shard and number are the
 * stream's, and its JSON has this number and items with the stream's key. */
bool stream_record_is_sound(struct call *c, const struct stream *s, const struct store_row *row);

/* The result of reading: a record, the end, or the limit of old records that a request may pass;
 * *out is the last old one then. */
enum stream_next { STREAM_RECORD, STREAM_END, STREAM_OLD };

/* Bytes of old records that a request may pass. */
#define STREAM_ROOM ((int64_t)4 * LIMIT_MB)

/* Moves the cursor to the next record that is not old. *room is the rest of STREAM_ROOM. */
MUST_CHECK const struct error *stream_next_record(struct call *c, struct cursor *cursor,
                                                  int64_t *room, struct stream_record *out,
                                                  enum stream_next *next);

/* --- streams of requests ---------------------------------------------------------------------- */

/* Whether the text has the form of a stream's ARN. */
bool stream_is_arn(struct span text);

/* "Invalid StreamArn" if it does not have this form. */
MUST_CHECK const struct error *stream_check_arn(struct call *c, struct span arn);

/* Finds the stream of `arn`: "Invalid StreamArn", or "Requested resource not found: Stream: …" */
MUST_CHECK const struct error *stream_of_arn(struct call *c, struct span arn, struct stream *out);

/* "Requested resource not found: Shard does not exist" */
MUST_CHECK const struct error *stream_shard_not_found(struct arena *a);

/* "The data you are trying to access has been trimmed": records that are no longer kept. */
MUST_CHECK const struct error *stream_trimmed(struct arena *a);
