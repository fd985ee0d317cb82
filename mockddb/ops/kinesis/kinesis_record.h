/* kinesis_record.h: the records that a Kinesis stream gets for each change of an item.
 *
 * A record is put into the store's outbox in the unit of its change. It is delivered between
 * requests (jobs/job_deliver.c), once the change is durable, and perhaps once more after a crash.
 * Source: docs/behaviour/kinesis.md. */
#pragma once

#include "ops/op.h"
#include "store/cursor.h"

/* Parses a Kinesis stream's ARN; false for other texts. *ours: it is of this account and region. */
bool kinesis_record_parse_arn(const struct call *c, struct span text, struct span *name,
                              bool *ours);

/* The parts of an entry of the outbox (KEY_SPACE_OUTBOX), in the order of their times. */
struct kinesis_record {
    struct span region, stream; /* its name */
    struct span partition_key;
    struct span json;
};
struct kinesis_record kinesis_record_read(const struct store_row *row);

/* Whether a row of a foreign snapshot can be delivered: its names can be parts of a path, and the
 * record is an object on one line. */
bool kinesis_record_is_sound(struct arena *a, const struct store_row *row);
