/* stream_iterator.h: shard iterators: opaque texts with a position to read from.
 *
 * An iterator has the stream, the shard, the next number to read, whether a record has this number,
 * whether its page is a repetition, and when it was issued. It is valid for 15 minutes. Source: API
 * reference GetShardIterator; docs/behaviour/streams.md. */
#pragma once

#include "ops/stream/stream.h"

struct stream_iterator {
    struct span arn;
    uint32_t shard;
    uint64_t next;  /* the next record has this number or a greater one */
    bool on_record; /* a record had exactly this number; if it is gone, it was trimmed */
    bool again;     /* its page is delivered for the second time */
    int64_t issued_ms;
};

/* Moves an iterator to the first record of its shard with the number `from` or greater, or else
 * behind all numbers so far. */
MUST_CHECK const struct error *stream_iterator_place(struct call *c, const struct stream *s,
                                                     uint64_t from, struct stream_iterator *it);

struct span stream_iterator_text(struct call *c, const struct stream_iterator *it);

/* Parses an iterator: ValidationException if it is invalid, ExpiredIteratorException if too old. */
MUST_CHECK const struct error *stream_iterator_read(struct call *c, struct span text,
                                                    struct stream_iterator *out);
