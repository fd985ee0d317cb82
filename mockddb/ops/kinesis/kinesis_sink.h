/* kinesis_sink.h: takes records for Kinesis in place of files. */
#pragma once

#include "ops/kinesis/kinesis_record.h"

struct kinesis_sink {
    /* Takes a record, which is borrowed during the call. */
    void (*put)(struct kinesis_sink *self, const struct kinesis_record *record);
};
