/* kinesis_sender.h: the sink that sends the records of all worlds to a Kinesis endpoint. */
#ifndef COMMANDS_KINESIS_SENDER_H
#define COMMANDS_KINESIS_SENDER_H

#include "client/client_kinesis.h"
#include "ops/kinesis/kinesis_sink.h"

struct kinesis_sender {
    struct kinesis_sink sink; /* first */
    struct client_kinesis *client;
};

/* Whether --kinesis-out is an endpoint's URL, not a folder. */
bool kinesis_sender_is_endpoint(const char *out);

struct kinesis_sender *kinesis_sender_new(struct arena *a);

#endif
