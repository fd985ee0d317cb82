/* kinesis_record.h: what is sent to a Kinesis stream for each change of an item.
 *
 * A record is put into the store's outbox with the change that it reports, and goes on from there
 * between requests (jobs/job_deliver.c): it is delivered when the change lasts, and after a crash
 * perhaps once more. Source: docs/behaviour/kinesis.md. */
#ifndef OPS_KINESIS_RECORD_H
#define OPS_KINESIS_RECORD_H

#include "ops/op.h"
#include "store/cursor.h"

/* Appends what happened to one item of the table to the outbox, once for each destination that is
 * on; each image may be NULL (no item). Nothing where no records are wanted. */
MUST_CHECK const struct error *kinesis_record_append(struct call *c, const struct table *t,
                                                     const struct item *before,
                                                     const struct item *after, bool expired);

/* All that is in the outbox, the oldest first. */
struct store_range kinesis_record_range(struct call *c);

/* The parts of an entry of the outbox. */
struct kinesis_record {
    struct span region, stream; /* its name */
    struct span partition_key;
    struct span json;
};
struct kinesis_record kinesis_record_read(const struct store_row *row);

/* Whether an entry that anybody may have written is a record that can be delivered: its names can
 * be parts of a path, and it is an object on one line. */
bool kinesis_record_is_sound(struct arena *a, const struct store_row *row);

#endif
