/* stream_iterator.h: shard iterators: opaque texts that say where to read on.
 *
 * An iterator holds the stream, the shard, the next number to read, whether a record had it,
 * whether its page was there before, and when it was issued; it is good for 15 minutes. Source: API
 * reference GetShardIterator; docs/behaviour/streams.md. */
#ifndef OPS_STREAM_ITERATOR_H
#define OPS_STREAM_ITERATOR_H

#include "ops/stream/stream.h"

struct stream_iterator {
    struct span arn;
    uint32_t shard;
    uint64_t next;  /* records with this number and greater ones are still to be read */
    bool on_record; /* there was one with this number: when it is gone, it was trimmed */
    bool again;     /* what it leads to was delivered once, and comes once more */
    int64_t issued_ms;
};

/* Puts an iterator at the first record of its shard with the number `from` or a greater one;
 * without one behind all numbers that were given. */
MUST_CHECK const struct error *stream_iterator_place(struct call *c, const struct stream *s,
                                                     uint64_t from, struct stream_iterator *it);

struct span stream_iterator_text(struct call *c, const struct stream_iterator *it);

/* ValidationException for text that is none, ExpiredIteratorException for one that is too old. */
MUST_CHECK const struct error *stream_iterator_read(struct call *c, struct span text,
                                                    struct stream_iterator *out);

#endif
