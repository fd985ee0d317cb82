/* kinesis_sink.h: who takes records for Kinesis, where they do not go into files. */
#ifndef OPS_KINESIS_SINK_H
#define OPS_KINESIS_SINK_H

#include "ops/kinesis/kinesis_record.h"

struct kinesis_sink {
    /* Takes a record, whose bytes live until it returns. */
    void (*put)(struct kinesis_sink *self, const struct kinesis_record *record);
};

#endif
